import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** A part of a backup: a statement about what follows, or rows in the text format of `COPY`. */
export type BackupFrame = BackupHeader | { kind: 'rows'; data: Buffer }

/** Describes the frames that follow it. */
export type BackupHeader =
  | { kind: 'backup'; format: 1; createdAt: string; release: string }
  /** The migrations of each service whose tables the database has. */
  | { kind: 'database'; name: string; migrations: Readonly<Record<string, readonly string[]>> }
  | { kind: 'table'; name: string; columns: readonly string[] }
  /** The end of a database, with the next values of its sequences. */
  | { kind: 'sequences'; sequences: readonly SequenceState[] }
  | { kind: 'end'; tables: number }

/** A sequence, and the last value that it returned. */
export type SequenceState = { name: string; value: string }

const headerTag = 0x4a
const rowsTag = 0x44
const prefixBytes = 5
const maxFrameBytes = 64 * 1024 * 1024

/**
 * Writes frames to a compressed file, under another name until it is complete and on the disk. Only its owner may read it.
 *
 * @throws Error if the file exists, or can't be written
 */
export async function writeBackupFile(file: string, frames: AsyncIterable<BackupFrame>): Promise<void> {
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    await pipeline(
      Readable.from(encodeFrames(frames)),
      createGzip({ level: 1 }),
      handle.createWriteStream({ flush: true }),
    )
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function* encodeFrames(frames: AsyncIterable<BackupFrame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const isRows = frame.kind === 'rows'
    const payload = isRows ? frame.data : Buffer.from(JSON.stringify(frame))
    const prefix = Buffer.alloc(prefixBytes)
    prefix.writeUInt8(isRows ? rowsTag : headerTag, 0)
    prefix.writeUInt32BE(payload.length, 1)
    yield prefix
    yield payload
  }
}

/**
 * Reads the frames of a backup.
 *
 * @throws Error with a sentence if the file is not a backup, or was truncated or changed (its checksum is part of gzip,
 *   RFC 1952)
 */
export async function* readBackupFile(file: string): AsyncGenerator<BackupFrame> {
  let isComplete = false
  for await (const frame of decodeFrames(file)) {
    isComplete = frame.kind === 'end'
    yield frame
  }
  if (!isComplete) throw new Error(`The backup ${file} is incomplete.`)
}

async function* decodeFrames(file: string): AsyncGenerator<BackupFrame> {
  let chunks: Buffer[] = []
  let bytes = 0
  let needed = prefixBytes
  try {
    const source = createReadStream(file)
    const gunzip = createGunzip()
    source.once('error', (error) => gunzip.destroy(error))
    for await (const chunk of source.pipe(gunzip)) {
      const buffer = Buffer.from(chunk as Uint8Array)
      chunks.push(buffer)
      bytes += buffer.length
      // Joined once per frame: joining at each chunk would copy a large frame many times.
      if (bytes < needed) continue
      let rest = Buffer.concat(chunks)
      let size = frameSize(rest)
      for (; size !== undefined && rest.length >= size; size = frameSize(rest)) {
        yield toFrame(rest[0], rest.subarray(prefixBytes, size))
        rest = rest.subarray(size)
      }
      ;[chunks, bytes, needed] = [[rest], rest.length, size ?? prefixBytes]
    }
  } catch (cause) {
    throw new Error(`The backup ${file} cannot be read: it is not a backup, or it is incomplete or damaged.`, { cause })
  }
}

/** @throws Error before more of a frame is buffered than its limit */
function frameSize(buffer: Buffer): number | undefined {
  if (buffer.length < prefixBytes) return undefined
  const payloadBytes = buffer.readUInt32BE(1)
  if (payloadBytes > maxFrameBytes) throw new Error('A frame is too large.')
  return prefixBytes + payloadBytes
}

function toFrame(tag: number | undefined, payload: Buffer): BackupFrame {
  if (tag === rowsTag) return { kind: 'rows', data: payload }
  if (tag !== headerTag) throw new Error('A frame has an unknown tag.')
  // The checksum was verified, and only `encodeFrames` writes such files.
  return JSON.parse(payload.toString()) as BackupHeader
}
