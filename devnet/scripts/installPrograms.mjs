// Installs the third-party programs of the local chains: `node devnet/scripts/installPrograms.mjs`. A process of its own, because
// Vite sets NODE_ENV.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

/** @type {{ module: { installDevnetPrograms(): Promise<void> } }} */
const { module } = await runnerImport(
  fileURLToPath(new URL('../src/processes/installDevnetPrograms.ts', import.meta.url)),
)
await module.installDevnetPrograms()
