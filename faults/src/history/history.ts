import { createWriteStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'

/** An operation of a client. Its unique text identifies a message. */
export type Operation =
  | { does: 'subscribe'; topic: string }
  | { does: 'publish'; topic: string; message: string }
  /** The connection is numbered per subscriber, in order of creation. */
  | { does: 'receive'; topic: string; message: string; connection: number }
  | { does: 'acknowledge'; topic: string; message: string; connection: number }

/**
 * One line of a history in the style of Jepsen. Each operation starts with `invoke` and ends with `ok` (succeeded), `fail`
 * (certainly failed) or `info` (outcome unknown).
 */
export type HistoryLine = {
  /** Milliseconds since the start of the history. */
  t: number
  /** The client. */
  proc: string
  type: 'invoke' | 'ok' | 'fail' | 'info'
  op: Operation
}

/** The operations of a run, written to a file to analyse a failed run. */
export type History = {
  readonly path: string
  readonly lines: readonly HistoryLine[]
  record(proc: string, type: HistoryLine['type'], op: Operation): void
  close(): Promise<void>
}

/**
 * Creates a history.
 *
 * @param path the file to write, one JSON line per operation; its folder is created
 * @param now milliseconds of a monotonic clock
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

/** Reads a stored history. */
export async function readHistory(path: string): Promise<readonly HistoryLine[]> {
  const text = await readFile(path, 'utf8')
  // This module wrote these lines; the checker finds inconsistent ones.
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryLine)
}
