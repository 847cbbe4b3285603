import {
  concat,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  http,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
  zeroHash,
  type Hex,
} from 'viem'
import { addresses, roles } from '../accounts.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'
import { readSmartArtifacts } from './artifacts.ts'

/** The smart account contracts of a local chain: the entry points at their public addresses, and our own contracts. */
export type LocalSmartAccounts = {
  /** All entry points that the bundler supports. */
  entryPoints: readonly Hex[]
  /** The entry point of the factory's accounts. */
  entryPoint: Hex
  factory: Hex
  delegations: LocalDelegations
  /** The paymaster, which pays for operations that its service has signed. */
  paymaster: Hex
}

/** The contracts of the Delegation Framework that enforce permissions on the chain (ERC-7710). */
export type LocalDelegations = { manager: Hex; enforcers: Readonly<Record<Enforcer, Hex>> }

type Enforcer =
  | 'allowedTargets'
  | 'allowedMethods'
  | 'exactCalldata'
  | 'valueLte'
  | 'nativeTokenTransferAmount'
  | 'nativeTokenPeriodTransfer'
  | 'erc20PeriodTransfer'
  | 'timestamp'

/** The deterministic deployer, present on every development chain: the address depends only on the code and the salt. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** The salts that give the entry points their public addresses. */
const salts = {
  entryPoint06: zeroHash,
  entryPoint07: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  entryPoint08: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
} as const
const gas = 8_000_000n
const deposit = parseEther('100')
const entryPointAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function depositTo(address account) payable',
])

/**
 * Deploys the entry points, the Delegation Framework, the account factory and a paymaster with a deposit. Idempotent.
 *
 * @throws Error if the chain rejects a step
 */
export async function deploySmartAccounts(rpcUrl: string): Promise<LocalSmartAccounts> {
  const transport = http(rpcUrl, { batch: true })
  const account = addresses[roles.deployer]
  const node = createTestClient({ mode: 'anvil', account, transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const { steps, ...placed } = await planDeployment()
  const there = await Promise.all(steps.map(({ address }) => node.getCode({ address })))
  const calls: { to: Hex; data: Hex; value?: bigint }[] = steps.flatMap(({ data }, index) =>
    there[index] === undefined ? [{ to: create2Deployer, data }] : [],
  )
  const { entryPoint, paymaster } = placed
  const isPaying =
    there.every((code) => code !== undefined) &&
    (await node.readContract({
      address: entryPoint,
      abi: entryPointAbi,
      functionName: 'balanceOf',
      args: [paymaster],
    })) >=
      deposit / 2n
  if (!isPaying) {
    const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'depositTo', args: [paymaster] })
    calls.push({ to: entryPoint, data, value: deposit })
  }
  // In order, because the node assigns the deployer's nonces.
  for (const call of calls) {
    const hash = await node.sendTransaction({ chain: null, gas, ...call })
    const { status } = await waitUntilMined(node, hash)
    if (status !== 'success') throw new Error('What smart accounts need could not be deployed.')
  }
  return placed
}

/** Computes the address of each contract and the transaction that deploys it. */
async function planDeployment(): Promise<LocalSmartAccounts & { steps: readonly { address: Hex; data: Hex }[] }> {
  const artifacts = await readSmartArtifacts()
  const steps: { address: Hex; data: Hex }[] = []
  const put = (contract: keyof typeof artifacts, salt: Hex, ...args: readonly Hex[]): Hex => {
    const creation = encodeDeployData({ ...artifacts[contract], args })
    const address = getCreate2Address({ from: create2Deployer, salt, bytecode: creation })
    steps.push({ address, data: concat([salt, creation]) })
    return address
  }
  const entryPoint06 = put('entryPoint06', salts.entryPoint06)
  const entryPoint = put('entryPoint07', salts.entryPoint07)
  const entryPoint08 = put('entryPoint08', salts.entryPoint08)
  const manager = put('delegationManager', zeroHash, addresses[roles.deployer])
  const factory = put('factory', zeroHash, manager)
  const paymaster = put('paymaster', zeroHash, entryPoint, addresses[roles.paymaster])
  const enforcer = (name: Enforcer): Hex => put(name, zeroHash)
  const delegations = {
    manager,
    enforcers: {
      allowedTargets: enforcer('allowedTargets'),
      allowedMethods: enforcer('allowedMethods'),
      exactCalldata: enforcer('exactCalldata'),
      valueLte: enforcer('valueLte'),
      nativeTokenTransferAmount: enforcer('nativeTokenTransferAmount'),
      nativeTokenPeriodTransfer: enforcer('nativeTokenPeriodTransfer'),
      erc20PeriodTransfer: enforcer('erc20PeriodTransfer'),
      timestamp: enforcer('timestamp'),
    },
  }
  const entryPoints = [entryPoint06, entryPoint, entryPoint08]
  return { entryPoints, entryPoint, factory, delegations, paymaster, steps }
}
