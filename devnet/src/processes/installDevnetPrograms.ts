import { polkadotChainProgram } from '../polkadot/polkadotChainProgram.ts'
import { bundlerProgram } from '../smart/installBundler.ts'
import { installProgram } from './installProgram.ts'

/**
 * Installs the third-party programs of the local chains, one after the other. A chain that starts in the meantime waits for its
 * program.
 *
 * @throws Error with a sentence that says what to do
 */
export async function installDevnetPrograms(): Promise<void> {
  for (const program of [bundlerProgram, polkadotChainProgram]) await installProgram(program)
}
