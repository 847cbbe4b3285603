import { encode } from 'uqr'

/** What part of a side the picture in the middle covers: with its error correction a code can lose far more. */
const middle = 0.22

/**
 * Draws a text as QR code modules without a border, with room for a picture in the middle.
 *
 * @returns the number of modules of a side, and one SVG path in units of modules
 */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const free = Math.ceil((size * middle) / 2)
  const isFree = (index: number): boolean => Math.abs(index - (size - 1) / 2) <= free
  const runs = data.flatMap((row, y) =>
    runsOf(row.map((dark, x) => dark && !(isFree(x) && isFree(y)))).map(
      ({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`,
    ),
  )
  return { size, path: runs.join('') }
}

function runsOf(row: readonly boolean[]): Array<{ start: number; length: number }> {
  const runs: Array<{ start: number; length: number }> = []
  for (const [x, dark] of row.entries()) {
    const last = runs.at(-1)
    if (!dark) continue
    if (last !== undefined && last.start + last.length === x) last.length += 1
    else runs.push({ start: x, length: 1 })
  }
  return runs
}
