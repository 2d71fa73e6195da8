/** Loaded before a command line: the clock of its machine is wrong by `CLOCK_AHEAD_MS`. */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const now = Date.now;
Date.now = () => now() + aheadMs;
