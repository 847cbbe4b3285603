import { createWriteStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'

/** What somebody tried or saw. A message is named by its text, which no two share. */
export type Operation =
  | { does: 'subscribe'; topic: string }
  | { does: 'publish'; topic: string; message: string }
  /** The connection is one of the subscriber's own, numbered as they came. */
  | { does: 'receive'; topic: string; message: string; connection: number }
  | { does: 'acknowledge'; topic: string; message: string; connection: number }

/**
 * One line of a history, after Jepsen's. An operation is invoked, and then either it was done (`ok`), or it certainly
 * was not (`fail`), or nobody knows (`info`).
 */
export type HistoryLine = {
  /** Milliseconds since the history began. */
  t: number
  /** Who did it. */
  proc: string
  type: 'invoke' | 'ok' | 'fail' | 'info'
  op: Operation
}

/** What happened, kept in a file so that a failed run can be read afterwards. */
export type History = {
  readonly path: string
  readonly lines: readonly HistoryLine[]
  record(proc: string, type: HistoryLine['type'], op: Operation): void
  close(): Promise<void>
}

/**
 * Begins a history.
 *
 * @param path the file, one JSON line each; its folder is made
 * @param now milliseconds on a clock that never goes back
 */
export async function createHistory(path: string, now: () => number = () => performance.now()): Promise<History> {
  await mkdir(dirname(path), { recursive: true })
  const file = createWriteStream(path)
  const lines: HistoryLine[] = []
  const begin = now()
  return {
    path,
    lines,
    record(proc, type, op) {
      const line = { t: Math.round(now() - begin), proc, type, op }
      lines.push(line)
      file.write(`${JSON.stringify(line)}\n`)
    },
    async close() {
      file.end()
      await finished(file)
    },
  }
}

/** Reads a history that was kept. */
export async function readHistory(path: string): Promise<readonly HistoryLine[]> {
  const text = await readFile(path, 'utf8')
  // Lines of ours: the checker finds what makes no sense.
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryLine)
}
