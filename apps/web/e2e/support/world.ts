import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installBundler, startWorld } from '@latchkey/devnet'

/** Starts the local world once for all browser tests, on free ports and with separate data. */
export default async function startForTests(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const world = await startWorld({ dataDir, env: { MAIL_PAUSE_SECONDS: '1' }, onProgress: console.error })
  // A test that starts the bundler would wait for it longer than a request may take.
  await installBundler({ onProgress: console.error })
  await world.warm()
  process.env['LATCHKEY_E2E_URLS'] = JSON.stringify(world.urls)
  return async () => {
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
