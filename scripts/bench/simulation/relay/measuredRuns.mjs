// Measured runs of the relay, from `docs/relay.md` (Figures, Messages in NATS) and `docs/operate.md` (Traces): two cores that relay,
// store and load shared, messages of 512 bytes. They calibrate and validate the costs of the model.

/** @typedef {import('./relayInputs.mjs').Engine} Engine */
/**
 * Processor time of all relay processes at a rate of messages. Four runs are left out: two and four processes at 8,000/s, four at
 * 4,000/s, and two at 2,000/s with three NATS servers. Relays, load and store exhausted the two cores, so that more messages shared
 * their work than on a machine with room.
 *
 * @typedef {{ engine: Engine, processes: number, rate: number, cpuPerThousand: number, from: string }} MeasuredCpu
 */

/** @type {(engine: Engine, from: string, runs: readonly (readonly [processes: number, rate: number, cpuPerThousand: number])[]) => readonly MeasuredCpu[]} */
const list = (engine, from, runs) =>
  runs.map(([processes, rate, cpuPerThousand]) => ({ engine, from, processes, rate, cpuPerThousand }))

/** @type {readonly MeasuredCpu[]} */
export const measuredCpu = [
  ...list('postgresql', 'table by processes', [
    [1, 1_000, 332],
    [2, 1_000, 882],
    [4, 1_000, 1_322],
    [1, 8_000, 100],
  ]),
  ...list('postgresql', 'traces switched off', [
    [1, 1_000, 323],
    [1, 1_000, 386],
    [1, 4_000, 124],
    [1, 4_000, 131],
  ]),
  ...list('postgresql', 'full store', [
    [1, 4_000, 108],
    [1, 8_000, 73],
    [1, 10_000, 65],
  ]),
  ...list('postgresql', 'rates', [
    [1, 1_000, 344],
    [1, 2_000, 213],
    [1, 4_000, 127],
    [1, 6_000, 109],
    [2, 1_000, 827],
    [2, 2_000, 324],
    [2, 4_000, 192],
    [2, 6_000, 152],
    [4, 1_000, 1_276],
    [4, 2_000, 580],
  ]),
  ...list('postgresql', 'comparison of the stores', [
    [1, 1_000, 394],
    [1, 2_000, 238],
    [1, 4_000, 154],
    [1, 6_000, 109],
    [2, 1_000, 867],
    [2, 2_000, 289],
    [2, 4_000, 206],
    [2, 6_000, 156],
  ]),
  ...list('nats', 'comparison of the stores', [
    [1, 1_000, 628],
    [1, 2_000, 415],
    [2, 1_000, 884],
    [2, 2_000, 534],
  ]),
  ...list('nats', 'comparison of the stores, 3 replicas', [[2, 1_000, 903]]),
]

/** Memory of a process, by its idle connections with a subscription each. */
export const measuredMemory = [
  { connections: 10_000, megabytes: 136, from: 'first run' },
  { connections: 10_000, megabytes: 182, from: 'later run' },
]

/** Messages that a bridge forwarded on loopback, 200 topics. */
export const measuredBridge = { messages: 2_000, seconds: 3.5 }
