import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parseAbi, type Abi, type Hex } from 'viem'
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

/** The contracts of the Delegation Framework that permissions use, by their published names. */
const delegationContracts = {
  delegationManager: 'DelegationManager',
  allowedTargets: 'AllowedTargetsEnforcer',
  allowedMethods: 'AllowedMethodsEnforcer',
  exactCalldata: 'ExactCalldataEnforcer',
  valueLte: 'ValueLteEnforcer',
  nativeTokenTransferAmount: 'NativeTokenTransferAmountEnforcer',
  nativeTokenPeriodTransfer: 'NativeTokenPeriodTransferEnforcer',
  erc20PeriodTransfer: 'ERC20PeriodTransferEnforcer',
  timestamp: 'TimestampEnforcer',
} as const

type DelegationContract = keyof typeof delegationContracts

type DelegationFramework = {
  readonly bytecode: Readonly<Record<(typeof delegationContracts)[DelegationContract], Hex>>
}

export type SmartContract = keyof typeof files | 'factory' | DelegationContract

/**
 * Reads the published artifacts of ERC-4337 and of the Delegation Framework, and our own account factory.
 *
 * @throws Error if they are not installed
 */
export async function readSmartArtifacts(): Promise<Readonly<Record<SmartContract, Artifact>>> {
  const { resolve } = createRequire(import.meta.url)
  const read = async (file: string): Promise<Artifact> =>
    // Published compiler output; the deployment fails if it is invalid.
    JSON.parse(await readFile(resolve(file), 'utf8')) as Artifact
  const { entryPoint06, entryPoint07, entryPoint08, paymaster } = files
  const [six, seven, eight, paying, factory, delegation] = await Promise.all([
    read(entryPoint06),
    read(entryPoint07),
    read(entryPoint08),
    read(paymaster),
    readArtifact('LatchkeyAccountFactory'),
    readDelegationArtifacts(),
  ])
  return { entryPoint06: six, entryPoint07: seven, entryPoint08: eight, paymaster: paying, factory, ...delegation }
}

async function readDelegationArtifacts(): Promise<Readonly<Record<DelegationContract, Artifact>>> {
  // The path works from sources and from the build.
  const file = new URL('../../src/contracts/delegationFramework.json', import.meta.url)
  // Published compiler output; the deployment fails if it is invalid.
  const { bytecode } = JSON.parse(await readFile(file, 'utf8')) as DelegationFramework
  const artifactOf = (contract: DelegationContract, abi: Abi = []): Artifact => ({
    abi,
    bytecode: bytecode[delegationContracts[contract]],
  })
  return {
    delegationManager: artifactOf('delegationManager', parseAbi(['constructor(address owner)'])),
    allowedTargets: artifactOf('allowedTargets'),
    allowedMethods: artifactOf('allowedMethods'),
    exactCalldata: artifactOf('exactCalldata'),
    valueLte: artifactOf('valueLte'),
    nativeTokenTransferAmount: artifactOf('nativeTokenTransferAmount'),
    nativeTokenPeriodTransfer: artifactOf('nativeTokenPeriodTransfer'),
    erc20PeriodTransfer: artifactOf('erc20PeriodTransfer'),
    timestamp: artifactOf('timestamp'),
  }
}
