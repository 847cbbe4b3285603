import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGzip } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { readBackupFile, writeBackupFile, type BackupFrame } from './backupFrames.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-frames-'))
  return () => rm(folder, { recursive: true, force: true })
})

const mebibyte = 1024 * 1024

/** Writes a gzip file whose first frame claims a length, followed by zero bytes. */
async function writeClaim(file: string, length: number, sent: number): Promise<void> {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(0x44, 0)
  prefix.writeUInt32BE(length, 1)
  function* zeros(): Generator<Buffer> {
    yield prefix
    for (let written = 0; written < sent; written += mebibyte) yield Buffer.alloc(mebibyte)
  }
  await pipeline(Readable.from(zeros()), createGzip({ level: 1 }), createWriteStream(file))
}

async function readAll(file: string): Promise<readonly BackupFrame[]> {
  const frames: BackupFrame[] = []
  for await (const frame of readBackupFile(file)) frames.push(frame)
  return frames
}

test('frames are read as they were written', async () => {
  const file = join(folder, 'whole.backup')
  const frames: readonly BackupFrame[] = [
    { kind: 'table', name: 'relay_message', columns: ['topic'] },
    { kind: 'rows', data: Buffer.from('a\tb\n') },
    { kind: 'rows', data: Buffer.alloc(40 * mebibyte, 1) },
    { kind: 'end', tables: 1 },
  ]
  await writeBackupFile(
    file,
    (async function* () {
      yield* frames
    })(),
  )
  // `toEqual` compares buffers byte by byte.
  expect(isDeepStrictEqual(await readAll(file), frames)).toBe(true)
})

test('a frame that claims more than its limit is refused before it is read', async () => {
  const file = join(folder, 'claim.backup')
  await writeClaim(file, 512 * mebibyte, 100 * mebibyte)
  const before = process.memoryUsage().arrayBuffers
  let highest = before
  const meter = setInterval(() => (highest = Math.max(highest, process.memoryUsage().arrayBuffers)), 1)
  const failure = await readAll(file).catch((error: unknown) => error)
  clearInterval(meter)
  expect(failure).toMatchObject({
    message: expect.stringContaining('damaged'),
    cause: { message: 'A frame is too large.' },
  })
  expect(highest - before).toBeLessThan(64 * mebibyte)
})
