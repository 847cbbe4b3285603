import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { readConfig, startServer, type RunningServer } from '@latchkey/server'
import { createTestDatabase, freePort, runOperatorCommand, type TestPostgres } from '@latchkey/server/testing'
import { bytesToHex, verifyMessage } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestHolder } from '../testing/openTestHolder.ts'
import { logInByMail } from '../testing/mailedLogin.ts'
import type { HolderUser, KeyHolder } from './keyHolder.ts'
import { createMemoryStore, type HolderStore } from './storage/holderStore.ts'

const email = 'ann@example.org'
const origin = 'http://app.localhost'

let folder = ''
let mail: LocalMail
let port = 0
let ahead = 0
const now = (): number => Date.now() + ahead

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-restored-'))
  mail = await startMail()
  port = await freePort()
})
afterAll(async () => {
  await mail.close()
  await rm(folder, { recursive: true, force: true })
})

/** A machine with all services of the embedded wallet: its databases, and a data folder with the key files. */
type Machine = {
  readonly dataDir: string
  start(): Promise<RunningServer>
  run(...args: string[]): Promise<readonly string[]>
  /** Loses the disk. */
  wipe(): Promise<void>
}

async function createMachine(name: string): Promise<Machine> {
  const dataDir = join(folder, name)
  await mkdir(dataDir)
  const databases: readonly TestPostgres[] = await Promise.all([1, 2, 3].map(() => createTestDatabase()))
  const [own, auth, shares] = databases.map(({ url }) => url)
  const environment = {
    PORT: String(port),
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    MAIL_URL: mail.url,
    DATABASE_URL: own ?? '',
    AUTH_DATABASE_URL: auth ?? '',
    SHARES_DATABASE_URL: shares ?? '',
  }
  return {
    dataDir,
    start: () => startServer(readConfig(environment), { clock: { now } }),
    run: (...args) => runOperatorCommand(args, environment),
    async wipe() {
      await Promise.all(databases.map((database) => database.close()))
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A browser with its storage. */
function openRestoredBrowser({ url }: RunningServer, store: HolderStore): Promise<KeyHolder> {
  return openTestHolder({ authUrl: url, sharesUrl: url, store, now })
}

async function logIn(holder: KeyHolder): Promise<HolderUser> {
  // The pause between two mails of one kind.
  ahead += 181_000
  return (await logInByMail(mail, holder, { email, origin })).user
}

/** True if the browser signs with the key of the address. */
async function signsAs(holder: KeyHolder, { accounts }: HolderUser): Promise<boolean> {
  const message = `signed at ${now()}`
  const signature = await holder.sign({ kind: 'evm-message', message: new TextEncoder().encode(message) })
  const address = accounts[0]?.address as `0x${string}`
  return verifyMessage({ address, message, signature: bytesToHex(signature) })
}

test(
  'a wallet signs with the same address after its machine was wiped and another one was restored from the backup [S-05]',
  { tags: 'faults' },
  async () => {
    const lost = await createMachine('lost')
    const store = createMemoryStore()
    const before = await lost.start()
    const laptop = await openRestoredBrowser(before, store)
    const user = await logIn(laptop)
    expect(await signsAs(laptop, user)).toBe(true)

    const backup = join(folder, 'latchkey.backup')
    const lines = await lost.run('backup', backup)
    const restored = await createMachine('restored')
    // As the last line of the backup says: the key files are stored separately.
    for (const name of ['auth.keys', 'shares.keys']) {
      expect(lines.at(-1)).toContain(join(lost.dataDir, name))
      await copyFile(join(lost.dataDir, name), join(restored.dataDir, name))
    }
    await before.close()
    await lost.wipe()

    await restored.run('restore', backup)
    const after = await restored.start()
    const reloaded = await openRestoredBrowser(after, store)
    expect(await reloaded.restore()).toEqual(user)
    expect(await signsAs(reloaded, user)).toBe(true)
    const phone = await openRestoredBrowser(after, createMemoryStore())
    expect((await logIn(phone)).accounts).toEqual(user.accounts)
    expect(await signsAs(phone, user)).toBe(true)
    await after.close()
    await restored.wipe()
  },
)
