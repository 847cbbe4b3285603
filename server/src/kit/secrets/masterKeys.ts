import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { MasterKey } from './keyEncryption.ts'

const line = /^([\w-]{1,64}):([0-9a-f]{64})$/
const othersMay = 0o077

/**
 * Reads master keys from a file that only the server's user may read. Creates it on the first start.
 *
 * Each line is `id:64 hex digits`. The first key seals, the others still open older secrets. To replace the key, insert a
 * new first line.
 *
 * @throws Error with a sentence if others may read the file, or a line is invalid; the file stays unchanged
 * @example const encryption = createKeyEncryption(await readMasterKeys('/etc/latchkey/auth.keys'))
 */
export async function readMasterKeys(path: string): Promise<[MasterKey, ...MasterKey[]]> {
  const { mode } = await stat(path).catch(async () => {
    await createKeyFile(path)
    return stat(path)
  })
  if ((mode & othersMay) !== 0) {
    throw new Error(`The key file ${path} can be read by others: run chmod 600 on it, and consider the key known.`)
  }
  return parseMasterKeys(await readFile(path, 'utf8'), `the key file ${path}`)
}

/**
 * Parses master keys with commas or line breaks between them, as in an environment variable.
 *
 * @throws Error with a sentence that names the wrong line, and never its content
 */
export function parseMasterKeys(text: string, where: string): [MasterKey, ...MasterKey[]] {
  const lines = text.split(/[\n,]/).map((each) => each.trim())
  const keys = lines.filter((each) => each !== '').map((each, index) => parseKeyLine(each, index, where))
  const [first, ...others] = keys
  if (first === undefined) throw new Error(`There is no key in ${where}.`)
  return [first, ...others]
}

function parseKeyLine(text: string, index: number, where: string): MasterKey {
  const [, id, digits] = line.exec(text) ?? []
  if (id === undefined || digits === undefined) {
    throw new Error(`Key ${index + 1} in ${where} must be written as id:64 hex digits.`)
  }
  return { id, key: Buffer.from(digits, 'hex') }
}

/** Writes the file under another name first, so that servers that start at once never read an incomplete file. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(createKeyLine())
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The key file ${path} can be neither read nor created: ${reason}`, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
}

/** @param id the id of the key; a random one if omitted */
function createKeyLine(id = `k${randomBytes(4).toString('hex')}`): string {
  return `${id}:${randomBytes(32).toString('hex')}\n`
}

/** The beginning of the ids of added keys: the time at which they were added. Keys without it are older than all others. */
const addedAt = /^k(\d{8}T\d{6}Z)-/

/** Finds a key that is newer than the first one. It opens secrets and does not seal yet. */
function findPreparedKey([first, ...others]: readonly [MasterKey, ...MasterKey[]]): MasterKey | undefined {
  return others.find((key) => timeOf(key) > timeOf(first))
}

function timeOf({ id }: MasterKey): string {
  return addedAt.exec(id)?.[1] ?? ''
}

/** The time of an added key in seconds. It is after that of the first key, even if the clock was set back. */
function laterTime(first: MasterKey, now: number): string {
  const format = (time: number): string => new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const previous = Date.parse(timeOf(first).replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'))
  return format(Number.isNaN(previous) ? now : Math.max(now, previous + 1_000))
}

/** True if a key was added and not promoted. */
export async function hasPreparedMasterKey(path: string): Promise<boolean> {
  return findPreparedKey(await readMasterKeys(path)) !== undefined
}

/**
 * Adds a new key as the last one of a key file. It opens secrets and does not seal.
 *
 * @param now milliseconds since 1970, for the id of the key
 * @returns the id
 * @throws Error with a sentence as `readMasterKeys` does, or if the file has several keys
 */
export async function addMasterKey(path: string, now: number): Promise<string> {
  const keys = await readMasterKeys(path)
  if (findPreparedKey(keys) !== undefined) throw new Error(`${path} has a new key already: run keys rotate.`)
  if (keys.length > 1) throw new Error(`${path} has older keys, which a rotation left: run keys clean first.`)
  const [added] = parseMasterKeys(createKeyLine(`k${laterTime(keys[0], now)}-${randomBytes(4).toString('hex')}`), path)
  await writeKeyFile(path, [...keys, added])
  return added.id
}

/**
 * Makes the key that was added the first one of its file, which seals.
 *
 * @returns its id
 * @throws Error with a sentence if none was added
 */
export async function promoteMasterKey(path: string): Promise<string> {
  const keys = await readMasterKeys(path)
  const prepared = findPreparedKey(keys)
  if (prepared === undefined) throw new Error(`${path} has no new key: run keys prepare first.`)
  await writeKeyFile(path, [prepared, ...keys.filter((key) => key !== prepared)])
  return prepared.id
}

/** Removes all keys of a key file but the first one. @returns their number */
export async function removeOlderMasterKeys(path: string): Promise<number> {
  const [first, ...others] = await readMasterKeys(path)
  await writeKeyFile(path, [first])
  return others.length
}

/** Replaces a key file as a whole, and keeps its owner: a key that is lost makes all secrets unreadable. */
async function writeKeyFile(path: string, keys: readonly MasterKey[]): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const { uid, gid } = await stat(path)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('hex')}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await chown(draft, uid, gid)
  await rename(draft, path)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
