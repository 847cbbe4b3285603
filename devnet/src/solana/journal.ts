import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Moment } from './execute.ts'
import { readRecord } from './jsonRpc.ts'

/** An executed transaction and its time. */
type JournalEntry = Moment & { wire: Uint8Array }

/** All transactions of a chain in order. Executing them again recreates the chain. */
export type Journal = {
  /** The start of the chain, in milliseconds since the epoch. */
  readonly begun: number
  /** The entries of earlier runs. */
  readonly entries: readonly JournalEntry[]
  add(entry: JournalEntry): void
}

/**
 * Opens or creates the journal of a chain. Each line is written before the transaction is acknowledged, so a killed
 * chain loses no acknowledged transaction.
 *
 * @param file without it nothing is stored
 */
export function openJournal(file: string | undefined, now: number): Journal {
  if (file === undefined) return { begun: now, entries: [], add: () => {} }
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [first, ...lines] = text.split('\n').map(parseJournalEntry)
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
  // Removes an incomplete last line, which a killed chain leaves behind.
  if (!text.endsWith('\n')) appendFileSync(file, '\n')
  return { begun, entries: lines.map(readEntry).filter((entry) => entry !== undefined), add }
}

function readEntry(line: unknown): JournalEntry | undefined {
  const { slot, blockTime, wire } = readRecord(line)
  if (![slot, blockTime].every((each) => typeof each === 'string' && /^\d+$/.test(each))) return undefined
  if (typeof wire !== 'string') return undefined
  return { slot: BigInt(String(slot)), blockTime: BigInt(String(blockTime)), wire: Buffer.from(wire, 'base64') }
}

function parseJournalEntry(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
