import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
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
      await file.writeFile(`k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('hex')}\n`)
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
