import { fileURLToPath } from 'node:url'
import type { Program } from '../processes/installProgram.ts'

/** Chopsticks (Apache-2.0), and a package with chain specifications (GPL), one of which has a complete genesis. */
export const polkadotChainProgram: Program = {
  folder: fileURLToPath(new URL('../../polkadot-node/', import.meta.url)),
  name: 'Polkadot chain',
  duration: 'about a minute',
}
