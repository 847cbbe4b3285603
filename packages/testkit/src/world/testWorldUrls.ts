import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The addresses of a running test world. */
export type TestWorldUrls = {
  /** An EVM node with the chain id 31337. */
  evm: string
  /** A Solana node. Missing if its runtime is not installed; it exists for few platforms. */
  solana?: string
  /** An Esplora service of a Bitcoin chain, regtest. */
  bitcoin: string
  /** The Latchkey server: wallet list and chain data. */
  server: string
  relay: string
  /** A project id that server and relay accept from pages of this machine. */
  projectId: string
  /** The inbox of all mails, as a page. */
  mailbox: string
  /** The address that your server sends mails to. */
  smtp: string
  /** The identity providers of social logins. They accept any identity, and pages of this machine only. */
  identity: string
  /** The value of `SOCIALS` for your server: the endpoints, client ids and client secrets of the identity providers. */
  socials: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The file that `latchkey-testkit up` writes its addresses to, in the folder in which it runs. */
export const worldFile = '.latchkey/testkit.json'

/**
 * Finds the test world that `npx @latchkey/testkit up` started: its file in the given folder or in one above. The environment
 * variable `LATCHKEY_TESTKIT_FILE` names another file.
 *
 * @param folder the working directory by default
 * @throws Error if no test world is running
 * @example const { relay, projectId } = await findTestWorld()
 */
export async function findTestWorld(folder: string = process.cwd()): Promise<TestWorldUrls> {
  const named = process.env['LATCHKEY_TESTKIT_FILE']
  const files = named === undefined ? filesAbove(resolve(folder)) : [named]
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    // Written by the command of this package.
    if (text !== undefined) return JSON.parse(text) as TestWorldUrls
  }
  throw new Error('No test world is running. Start it with: npx @latchkey/testkit up')
}

function filesAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return [join(folder, worldFile), ...(parent === folder ? [] : filesAbove(parent))]
}
