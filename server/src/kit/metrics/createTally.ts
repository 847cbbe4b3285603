import { Counter, type Registry } from 'prom-client'

/** A counter with a fixed set of keys. */
export type Tally = {
  /** Counts a key. Unknown keys count as `other`. */
  add(key: string): void
}

export type TallyOptions = {
  name: string
  help: string
  /** The label whose values are the keys. */
  label: string
  keys: readonly string[]
}

/** A client must not create series, so all keys that are not listed share this one. */
const other = 'other'

/**
 * Creates a counter for paths that run for each message: counting neither allocates nor computes a hash. The registry reads
 * the numbers when it is scraped.
 *
 * @example
 * const refusals = createTally(registry, { name: 'refusals_total', help: 'Refusals.', label: 'reason', keys: ['rate'] })
 * refusals.add('rate')
 */
export function createTally(registry: Registry, { name, help, label, keys }: TallyOptions): Tally {
  const cells = createCells(keys)
  registry.registerMetric(
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        this.reset()
        for (const [key, { value }] of cells.byKey) this.inc({ [label]: key }, value)
      },
    }),
  )
  return { add: (key) => void (cells.find(key).value += 1) }
}

/** A counter with two labels, each with a fixed set of keys. */
export type PairTally = { add(first: string, second: string): void }

export type PairTallyOptions = {
  name: string
  help: string
  labels: readonly [string, string]
  keys: readonly [readonly string[], readonly string[]]
}

/** Creates a counter like `createTally` with two labels. Pairs that never occurred are not reported. */
export function createPairTally(registry: Registry, { name, help, labels, keys }: PairTallyOptions): PairTally {
  const [firstLabel, secondLabel] = labels
  const rows = new Map([...keys[0], other].map((key) => [key, createCells(keys[1])]))
  const others = rows.get(other) ?? createCells(keys[1])
  registry.registerMetric(
    new Counter({
      name,
      help,
      labelNames: labels,
      registers: [],
      collect() {
        this.reset()
        for (const [first, cells] of rows) {
          for (const [second, { value }] of cells.byKey) {
            if (value > 0) this.inc({ [firstLabel]: first, [secondLabel]: second }, value)
          }
        }
      },
    }),
  )
  return { add: (first, second) => void ((rows.get(first) ?? others).find(second).value += 1) }
}

type Cell = { value: number }

function createCells(keys: readonly string[]): { byKey: ReadonlyMap<string, Cell>; find(key: string): Cell } {
  const others: Cell = { value: 0 }
  const byKey = new Map<string, Cell>(keys.map((key) => [key, { value: 0 }]))
  byKey.set(other, others)
  return { byKey, find: (key) => byKey.get(key) ?? others }
}
