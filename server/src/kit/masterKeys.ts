import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { MasterKey } from './keyEncryption.ts'

const line = /^([\w-]{1,64}):([0-9a-f]{64})$/
const othersMay = 0o077

/**
 * Reads master keys from a file that only the server's user may read; makes one on the first start.
 *
 * Each line is `id:64 hex digits`. The first seals; the others still open what was sealed under them. To change the key,
 * put a new line above.
 *
 * @throws Error in a sentence when others may read the file, or a line is none; the file is then left as it is
 * @example const encryption = createKeyEncryption(await readMasterKeys('/etc/latchkey/auth.keys'))
 */
export async function readMasterKeys(path: string): Promise<[MasterKey, ...MasterKey[]]> {
  const { mode } = await stat(path).catch(async () => {
    await makeFile(path)
    return stat(path)
  })
  if ((mode & othersMay) !== 0) {
    throw new Error(`The key file ${path} can be read by others: run chmod 600 on it, and consider the key known.`)
  }
  return parseMasterKeys(await readFile(path, 'utf8'), `the key file ${path}`)
}

/**
 * Reads master keys from a text, as a variable of the environment holds it; commas or line ends between them.
 *
 * @throws Error in a sentence that says which line is wrong, and never what stands there
 */
export function parseMasterKeys(text: string, where: string): [MasterKey, ...MasterKey[]] {
  const lines = text.split(/[\n,]/).map((each) => each.trim())
  const keys = lines.filter((each) => each !== '').map((each, index) => readLine(each, index, where))
  const [first, ...others] = keys
  if (first === undefined) throw new Error(`There is no key in ${where}.`)
  return [first, ...others]
}

function readLine(text: string, index: number, where: string): MasterKey {
  const [, id, digits] = line.exec(text) ?? []
  if (id === undefined || digits === undefined) {
    throw new Error(`Key ${index + 1} in ${where} must be written as id:64 hex digits.`)
  }
  return { id, key: Buffer.from(digits, 'hex') }
}

/** Written whole under another name first: of several servers that start at once, one makes it, and none reads half of it. */
async function makeFile(path: string): Promise<void> {
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
    throw new Error(`The key file ${path} can be neither read nor made: ${reason}`, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
