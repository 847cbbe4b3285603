import type { HistoryLine } from './history.ts'

/** The faults in a history. Each list has one sentence per fault. */
export type Verdict = {
  /** The numbers of published, confirmed and received messages; received messages include repeats. */
  published: number
  confirmed: number
  received: number
  /** Confirmed messages that a subscriber of the topic never received. */
  lost: readonly string[]
  /** Received messages that were never published on that topic, or were refused. */
  phantoms: readonly string[]
  /** The number of messages received again on a later connection. A broken connection can lose an acknowledgement. */
  redelivered: number
  /** Messages received twice on one connection, which a broken connection does not explain. */
  duplicates: readonly string[]
  /** Messages received after a later message of the same publisher on the same topic. */
  reordered: readonly string[]
}

type Publish = { topic: string; publisher: string; place: number; outcome: Outcome }
type Outcome = 'open' | 'unknown' | 'confirmed' | 'refused'

/**
 * Checks a history against the guarantees of the relay: each subscriber of a topic receives each confirmed message at
 * least once, only published messages, none twice on one connection, and all in the order of their publisher.
 *
 * Publishers must publish on one topic sequentially: concurrent messages have no order.
 */
export function checkHistory(lines: readonly HistoryLine[]): Verdict {
  const publishes = readPublishes(lines)
  const arrivals = readArrivals(lines, publishes)
  return {
    published: publishes.size,
    confirmed: [...publishes.values()].filter(({ outcome }) => outcome === 'confirmed').length,
    lost: findLost(lines, publishes, arrivals.firsts),
    ...arrivals.report,
  }
}

function readPublishes(lines: readonly HistoryLine[]): ReadonlyMap<string, Publish> {
  const publishes = new Map<string, Publish>()
  for (const { proc, type, op } of lines) {
    if (op.does !== 'publish') continue
    const { topic, message } = op
    const known = publishes.get(message)
    if (known !== undefined && (known.topic !== topic || known.publisher !== proc)) {
      throw new Error(`The history names two publications "${message}".`)
    }
    const publish = known ?? { topic, publisher: proc, place: publishes.size, outcome: 'open' }
    publishes.set(message, { ...publish, outcome: outcomeAfter(publish.outcome, type) })
  }
  return publishes
}

/** A repeated message is confirmed again. A refusal counts only if no earlier attempt can have been stored. */
function outcomeAfter(outcome: Outcome, type: HistoryLine['type']): Outcome {
  if (outcome === 'confirmed' || type === 'ok') return 'confirmed'
  if (outcome === 'unknown' || type === 'info') return 'unknown'
  return type === 'fail' ? 'refused' : outcome
}

type Arrivals = {
  /** Arrivals by `arrivalKey`. */
  firsts: ReadonlySet<string>
  report: Pick<Verdict, 'received' | 'phantoms' | 'redelivered' | 'duplicates' | 'reordered'>
}

function readArrivals(lines: readonly HistoryLine[], publishes: ReadonlyMap<string, Publish>): Arrivals {
  const firsts = new Set<string>()
  const onConnection = new Set<string>()
  const latest = new Map<string, { place: number; message: string }>()
  const report = {
    received: 0,
    phantoms: [] as string[],
    redelivered: 0,
    duplicates: [] as string[],
    reordered: [] as string[],
  }
  for (const { t, proc, op } of lines) {
    if (op.does !== 'receive') continue
    const { topic, message, connection } = op
    report.received += 1
    const publish = publishes.get(message)
    if (publish === undefined || publish.topic !== topic || publish.outcome === 'refused') {
      report.phantoms.push(`${proc} got "${message}" at ${t} ms, which was ${originOf(publish, topic)}`)
      continue
    }
    const first = arrivalKey(proc, message)
    const here = `${first} ${connection}`
    if (onConnection.has(here))
      report.duplicates.push(`${proc} got "${message}" again on connection ${connection} at ${t} ms`)
    else if (firsts.has(first)) report.redelivered += 1
    onConnection.add(here)
    if (firsts.has(first)) continue
    firsts.add(first)
    const lane = `${proc} ${publish.publisher} ${topic}`
    const before = latest.get(lane)
    if (before !== undefined && before.place > publish.place) {
      report.reordered.push(`${proc} got "${message}" at ${t} ms, after "${before.message}"`)
    } else latest.set(lane, { place: publish.place, message })
  }
  return { firsts, report }
}

function originOf(publish: Publish | undefined, topic: string): string {
  if (publish === undefined) return 'never published'
  return publish.topic === topic ? 'refused' : 'published on another topic'
}

function findLost(
  lines: readonly HistoryLine[],
  publishes: ReadonlyMap<string, Publish>,
  firsts: ReadonlySet<string>,
): readonly string[] {
  const subscribers = new Map<string, Set<string>>()
  for (const { proc, type, op } of lines) {
    if (op.does !== 'subscribe' || type !== 'ok') continue
    subscribers.set(op.topic, (subscribers.get(op.topic) ?? new Set()).add(proc))
  }
  return [...publishes]
    .filter(([, { outcome }]) => outcome === 'confirmed')
    .flatMap(([message, { topic, publisher }]) =>
      [...(subscribers.get(topic) ?? [])]
        // A client never receives its own messages.
        .filter((subscriber) => subscriber !== publisher && !firsts.has(arrivalKey(subscriber, message)))
        .map((subscriber) => `${subscriber} never got "${message}", which was confirmed`),
    )
}

function arrivalKey(subscriber: string, message: string): string {
  return `${subscriber} ${message}`
}
