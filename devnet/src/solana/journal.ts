import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Moment } from './execute.ts'
import { readRecord } from './jsonRpc.ts'

/** A transaction that was executed, and when. */
type JournalEntry = Moment & { wire: Uint8Array }

/** All that ever happened on a chain, in its order: executed again, it makes the same chain. */
export type Journal = {
  /** When the chain began, in milliseconds since the epoch. */
  readonly begun: number
  /** What happened before this start. */
  readonly entries: readonly JournalEntry[]
  add(entry: JournalEntry): void
}

/**
 * Opens the journal of a chain, or begins one. Each line is written before the transaction is answered for, so that a
 * chain that is killed loses nothing that somebody knows of.
 *
 * @param file nothing is kept without one
 */
export function openJournal(file: string | undefined, now: number): Journal {
  if (file === undefined) return { begun: now, entries: [], add: () => {} }
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [first, ...lines] = text.split('\n').map(parse)
  const { begun } = readRecord(first)
  const add = ({ slot, blockTime, wire }: JournalEntry): void => {
    const entry = { slot: String(slot), blockTime: String(blockTime), wire: Buffer.from(wire).toString('base64') }
    appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }
  if (typeof begun !== 'number') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ begun: now })}\n`)
    return { begun: now, entries: [], add }
  }
  // A line that was being written when the chain was killed is none, and must not spoil the next one.
  if (!text.endsWith('\n')) appendFileSync(file, '\n')
  return { begun, entries: lines.map(readEntry).filter((entry) => entry !== undefined), add }
}

function readEntry(line: unknown): JournalEntry | undefined {
  const { slot, blockTime, wire } = readRecord(line)
  if (![slot, blockTime].every((each) => typeof each === 'string' && /^\d+$/.test(each))) return undefined
  if (typeof wire !== 'string') return undefined
  return { slot: BigInt(String(slot)), blockTime: BigInt(String(blockTime)), wire: Buffer.from(wire, 'base64') }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
