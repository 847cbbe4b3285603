import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'
import { readArtifact } from '../evm/deploy.ts'

/** The bytecode and ABI of a contract. */
export type Artifact = { abi: Abi; bytecode: Hex }

/** The paths of the ERC-4337 contracts in their packages. */
const files = {
  entryPoint06: 'aa06/artifacts/EntryPoint.json',
  entryPoint07: 'aa07/artifacts/EntryPoint.json',
  entryPoint08: 'aa08/artifacts/EntryPoint.json',
  paymaster: 'aa07/artifacts/VerifyingPaymaster.json',
} as const

export type SmartContract = keyof typeof files | 'factory'

/**
 * Reads the published artifacts of ERC-4337 and our own account factory.
 *
 * @throws Error if they are not installed
 */
export async function readSmartArtifacts(): Promise<Readonly<Record<SmartContract, Artifact>>> {
  const { resolve } = createRequire(import.meta.url)
  const read = async (file: string): Promise<Artifact> =>
    // Published compiler output; the deployment fails if it is invalid.
    JSON.parse(await readFile(resolve(file), 'utf8')) as Artifact
  const { entryPoint06, entryPoint07, entryPoint08, paymaster } = files
  const [six, seven, eight, paying, factory] = await Promise.all([
    read(entryPoint06),
    read(entryPoint07),
    read(entryPoint08),
    read(paymaster),
    readArtifact('LatchkeyAccountFactory'),
  ])
  return { entryPoint06: six, entryPoint07: seven, entryPoint08: eight, paymaster: paying, factory }
}
