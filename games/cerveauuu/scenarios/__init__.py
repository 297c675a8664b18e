"""What Cerveauuu! brings for scenario files: its checks and its words."""
