import { encode } from 'uqr'

/** The share of a side that the image in the middle covers. The error correction tolerates far more. */
const middle = 0.22

/**
 * Encodes a string as a QR code without a border, with space for an image in the middle.
 *
 * @returns the number of modules per side, and an SVG path in units of modules
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
