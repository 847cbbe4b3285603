import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorld } from '@latchkey/devnet'

/** Starts the local world once for all browser tests, on free ports and with separate data. */
export default async function startForTests(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const world = await startWorld({ dataDir, env: { MAIL_PAUSE_SECONDS: '1' }, onProgress: console.error })
  process.env['LATCHKEY_E2E_URLS'] = JSON.stringify(world.urls)
  return async () => {
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
