import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The results of the cases, as a table. */
export type GrownTable = {
  /**
   * Runs a case, and records if it passed. `note` adds a measurement, or the replacement of a case that can't run here.
   */
  run(name: string, body: (note: (text: string) => void) => Promise<void>): Promise<void>
  /** Writes the table to the file that `npm run test:grown` prints at its end. */
  write(): Promise<void>
}

/** The file of the table. */
const tableFile = fileURLToPath(new URL('../../../.latchkey/faults/grown.txt', import.meta.url))

/** Creates an empty table. */
export function createGrownTable(): GrownTable {
  const rows: { name: string; result: string; notes: string[] }[] = []
  return {
    async run(name, body) {
      const row = { name, result: 'FAILED', notes: [] as string[] }
      rows.push(row)
      await body((text) => void row.notes.push(text))
      row.result = 'passed'
    },
    async write() {
      await mkdir(dirname(tableFile), { recursive: true })
      const width = Math.max(...rows.map(({ name }) => name.length))
      const lines = rows.map(({ name, result, notes }) =>
        `${name.padEnd(width)}  ${result}  ${notes.join('; ')}`.trimEnd(),
      )
      await writeFile(tableFile, `${lines.join('\n')}\n`)
    },
  }
}
