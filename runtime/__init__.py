"""What every process shares: settings, logs, the table service, live delivery, the store."""
