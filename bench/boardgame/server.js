"use strict";

// The reference: boardgame.io's own server, which keeps matches in memory. Tells its port.

const { Server } = require("boardgame.io/server");
const { bunker } = require("./bunker.js");

Server({ games: [bunker], origins: ["*"] })
  .run({ port: 0 })
  .then(({ appServer }) => process.stdout.write(`${appServer.address().port}\n`));
