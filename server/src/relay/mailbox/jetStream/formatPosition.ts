import type { MailboxPosition } from '../mailbox.ts'

/** Formats the last sequences that were read, one of each stream. */
export function formatPosition(sequences: readonly number[]): MailboxPosition {
  return sequences.join(' ')
}

/** Parses a position. 0 is the start of all streams. */
export function parsePosition(position: MailboxPosition, count: number): number[] {
  const sequences = String(position).split(' ').map(Number)
  return Array.from({ length: count }, (_, index) => sequences[index] ?? 0)
}
