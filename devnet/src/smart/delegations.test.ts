import fc from 'fast-check'
import {
  concat,
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getTypesForEIP712Domain,
  hashDomain,
  hashStruct,
  http,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  publicActions,
  size,
  stringToHex,
  toFunctionSelector,
  walletActions,
  zeroAddress,
  zeroHash,
  type Hex,
  type TypedDataDomain,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses } from '../accounts.ts'
import { startAnvil, type Anvil } from '../evm/anvil.ts'
import { deploy, readArtifact } from '../evm/deploy.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'
import { deploySmartAccounts, type LocalSmartAccounts } from './deploySmartAccounts.ts'

// These tests redeem delegations with viem alone: no code of the wallet takes part.
const abi = parseAbi([
  'function createAccount(address signer, uint256 salt) returns (address)',
  'function getAddress(address signer, uint256 salt) view returns (address)',
  'function executeFromExecutor(bytes32 mode, bytes executionCalldata) payable returns (bytes[])',
  'function setSigner(address signer)',
  'function accountId() view returns (string)',
  'function delegationManager() view returns (address)',
  'function VERSION() view returns (string)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] calls)',
  'function disableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
  'error AccountUnauthorized(address sender)',
  'error UnsupportedDelegatedCall()',
  'error CannotUseADisabledDelegation()',
  'error InvalidDelegate()',
  'error InvalidAuthority()',
  'error InvalidERC1271Signature()',
])
const delegationTypes = {
  Delegation: [
    { name: 'delegate', type: 'address' },
    { name: 'delegator', type: 'address' },
    { name: 'authority', type: 'bytes32' },
    { name: 'caveats', type: 'Caveat[]' },
    { name: 'salt', type: 'uint256' },
  ],
  Caveat: [
    { name: 'enforcer', type: 'address' },
    { name: 'terms', type: 'bytes' },
  ],
} as const
/** The types in the order of EIP-712, then the name of the signed one (ERC-7739). */
const description = stringToHex(
  'Caveat(address enforcer,bytes terms)Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Delegation',
)
const nestedType = [
  { name: 'contents', type: 'Delegation' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const
const chainParameters = parseAbiParameters(
  '(address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature)[]',
)
const rootAuthority: Hex = `0x${'ff'.repeat(32)}`
const chainId = 31_337
const day = 86_400

type Caveat = { enforcer: Hex; terms: Hex; args: Hex }
type Delegation = {
  delegate: Hex
  delegator: Hex
  authority: Hex
  caveats: readonly Caveat[]
  salt: bigint
  signature: Hex
}
type Execution = { target: Hex; value?: bigint; data?: Hex }

let anvil: Anvil
let placed: LocalSmartAccounts
let token: Hex
let shop: Hex
const createNodeClient = () =>
  createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

beforeAll(async () => {
  anvil = await startAnvil({ chainId, port: 0 })
  placed = await deploySmartAccounts(anvil.rpcUrl)
  const { tokens, collections } = await deploy(anvil.rpcUrl, chainId)
  token = tokens[0]?.address ?? zeroAddress
  shop = collections[0]?.address ?? zeroAddress
})
afterAll(() => anvil.close())

/** A key with a deployed account, and a session key of an app. */
async function openAccount() {
  const [key, session] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const { factory } = placed
  const args = [key.address, 0n] as const
  const account = await createNodeClient().readContract({ address: factory, abi, functionName: 'getAddress', args })
  const write = {
    chain: null,
    account: addresses[0],
    address: factory,
    abi,
    functionName: 'createAccount',
    args,
  } as const
  await waitUntilMined(createNodeClient(), await createNodeClient().writeContract(write))
  await createNodeClient().setBalance({ address: account, value: 1_000n })
  await createNodeClient().setBalance({ address: session.address, value: 10n ** 18n })
  const transfer = { chain: null, account: addresses[0], address: token, abi, functionName: 'transfer' } as const
  await waitUntilMined(
    createNodeClient(),
    await createNodeClient().writeContract({ ...transfer, args: [account, 1_000n] }),
  )
  return { key, session, account }
}

type Account = Awaited<ReturnType<typeof openAccount>>

let salt = 0n
async function delegate(
  { key, session, account }: Account,
  caveats: readonly (readonly [enforcer: Hex, terms: Hex])[],
  { onChain = chainId, to = session.address }: { onChain?: number; to?: Hex } = {},
): Promise<Delegation> {
  salt += 1n
  const delegation = {
    delegate: to,
    delegator: account,
    authority: rootAuthority,
    caveats: caveats.map(([enforcer, terms]) => ({ enforcer, terms, args: '0x' as const })),
    salt,
  }
  const { manager } = placed.delegations
  const domain: TypedDataDomain = {
    name: 'DelegationManager',
    version: '1',
    chainId: onChain,
    verifyingContract: manager,
  }
  const own = { name: 'Latchkey Account', version: '1', chainId: BigInt(onChain), verifyingContract: account } as const
  const signed = await key.signTypedData({
    domain,
    types: { ...delegationTypes, TypedDataSign: nestedType },
    primaryType: 'TypedDataSign',
    message: { contents: delegation, ...own, salt: zeroHash },
  })
  const domainTypes: Record<string, { name: string; type: string }[]> = {
    EIP712Domain: getTypesForEIP712Domain({ domain }),
  }
  const separator = hashDomain({ domain, types: domainTypes })
  const types = { Delegation: [...delegationTypes.Delegation], Caveat: [...delegationTypes.Caveat] }
  const contents = hashStruct({ data: delegation, primaryType: 'Delegation', types })
  const signature = concat([signed, separator, contents, description, numberToHex(size(description), { size: 2 })])
  return { ...delegation, signature }
}

const contextOf = (...chain: readonly Delegation[]): Hex =>
  encodeAbiParameters(chainParameters, [chain.map((each) => ({ ...each, caveats: [...each.caveats] }))])
const encode = ({ target, value = 0n, data = '0x' }: Execution): Hex =>
  encodePacked(['address', 'uint256', 'bytes'], [target, value, data])

/** Redeems a delegation for one call and returns the gas that it used. */
async function redeem(
  from: Account['session'],
  context: Hex,
  execution: Execution,
  mode: Hex = zeroHash,
): Promise<bigint> {
  const args = [[context], [mode], [encode(execution)]] as const
  const call = {
    account: from,
    address: placed.delegations.manager,
    abi,
    functionName: 'redeemDelegations',
    args,
  } as const
  await createNodeClient().simulateContract(call)
  const { status, gasUsed } = await waitUntilMined(
    createNodeClient(),
    await createNodeClient().writeContract({ chain: null, ...call }),
  )
  expect(status).toBe('success')
  return gasUsed
}

/** Sends a redemption that must revert on the chain. */
async function expectRevert(
  from: Account['session'],
  context: Hex,
  execution: Execution,
  reason: string,
  mode: Hex = zeroHash,
): Promise<void> {
  const args = [[context], [mode], [encode(execution)]] as const
  const call = {
    account: from,
    address: placed.delegations.manager,
    abi,
    functionName: 'redeemDelegations',
    args,
  } as const
  await expect(createNodeClient().simulateContract(call)).rejects.toThrow(reason)
  const hash = await createNodeClient().writeContract({ chain: null, gas: 1_000_000n, ...call })
  expect(await waitUntilMined(createNodeClient(), hash)).toMatchObject({ status: 'reverted' })
}

const getBlockTime = async (): Promise<number> => Number((await createNodeClient().getBlock()).timestamp)
const encodeWord = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const transferOf = (to: Hex, amount: bigint): Execution => ({
  target: token,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
})
const balanceOf = (account: Hex) =>
  createNodeClient().readContract({ address: token, abi, functionName: 'balanceOf', args: [account] })
const newAddress = (): Hex => privateKeyToAccount(generatePrivateKey()).address

const createExpiryCaveat = (seconds: number): readonly [Hex, Hex] => [
  placed.delegations.enforcers.timestamp,
  concat([numberToHex(0, { size: 16 }), numberToHex(seconds, { size: 16 })]),
]
const createNoValueCaveat = (): readonly [Hex, Hex] => [placed.delegations.enforcers.valueLte, encodeWord(0)]
const tokensPerDay = (amount: bigint, start: number): readonly [Hex, Hex] => [
  placed.delegations.enforcers.erc20PeriodTransfer,
  concat([token, encodeWord(amount), encodeWord(day), encodeWord(start)]),
]
const coinsPerDay = (amount: bigint, start: number): readonly (readonly [Hex, Hex])[] => [
  [
    placed.delegations.enforcers.nativeTokenPeriodTransfer,
    concat([encodeWord(amount), encodeWord(day), encodeWord(start)]),
  ],
  [placed.delegations.enforcers.exactCalldata, '0x'],
]

test('the account names its version and its delegation manager', async () => {
  const { account } = await openAccount()
  const read = { address: account, abi } as const
  expect(await createNodeClient().readContract({ ...read, functionName: 'accountId' })).toBe('latchkey.account.2.0.0')
  const manager = await createNodeClient().readContract({ ...read, functionName: 'delegationManager' })
  expect(manager).toBe(placed.delegations.manager)
  expect(await createNodeClient().readContract({ address: manager, abi, functionName: 'VERSION' })).toBe('1.3.0')
})

test('a session key spends a token allowance per period, and no more [I-23]', async () => {
  const opened = await openAccount()
  const { session } = opened
  const to = newAddress()
  const start = await getBlockTime()
  const context = contextOf(
    await delegate(opened, [tokensPerDay(10n, start), createNoValueCaveat(), createExpiryCaveat(start + 3 * day)]),
  )
  await redeem(session, context, transferOf(to, 7n))
  await redeem(session, context, transferOf(to, 3n))
  expect(await balanceOf(to)).toBe(10n)
  const exceeded = 'ERC20PeriodTransferEnforcer:transfer-amount-exceeded'
  await expectRevert(session, context, transferOf(to, 1n), exceeded)
  await createNodeClient().increaseTime({ seconds: day })
  await createNodeClient().mine({ blocks: 1 })
  await redeem(session, context, transferOf(to, 10n))
  await expectRevert(session, context, transferOf(to, 1n), exceeded)
  expect(await balanceOf(to)).toBe(20n)
  await createNodeClient().increaseTime({ seconds: 2 * day })
  await createNodeClient().mine({ blocks: 1 })
  await expectRevert(session, context, transferOf(to, 1n), 'TimestampEnforcer:expired-delegation')
})

test('a session key spends native currency per period, without data [I-23]', async () => {
  const opened = await openAccount()
  const { session } = opened
  const to = newAddress()
  const start = await getBlockTime()
  const context = contextOf(await delegate(opened, [...coinsPerDay(10n, start), createExpiryCaveat(start + 30 * day)]))
  await redeem(session, context, { target: to, value: 6n })
  await redeem(session, context, { target: to, value: 4n })
  await expectRevert(session, context, { target: to, value: 1n }, 'NativeTokenPeriodTransferEnforcer')
  await expectRevert(session, context, transferOf(to, 1n), 'ExactCalldataEnforcer:invalid-calldata')
  expect(await createNodeClient().getBalance({ address: to })).toBe(10n)
})

test('a session key calls the named functions of one contract, with a total amount [I-23]', async () => {
  const opened = await openAccount()
  const { allowedTargets, allowedMethods, nativeTokenTransferAmount } = placed.delegations.enforcers
  const context = contextOf(
    await delegate(opened, [
      [allowedTargets, token],
      [allowedMethods, toFunctionSelector('approve(address,uint256)')],
      [nativeTokenTransferAmount, encodeWord(0)],
      createExpiryCaveat((await getBlockTime()) + day),
    ]),
  )
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [newAddress(), 1n] })
  const { session, account } = opened
  await redeem(session, context, { target: token, data })
  await expectRevert(session, context, { target: shop, data }, 'AllowedTargetsEnforcer:target-address-not-allowed')
  await expectRevert(session, context, transferOf(account, 1n), 'AllowedMethodsEnforcer:method-not-allowed')
  await expectRevert(session, context, { target: token, data: '0x' }, 'AllowedMethodsEnforcer')
  await expectRevert(
    session,
    context,
    { target: token, data, value: 1n },
    'NativeTokenTransferAmountEnforcer:allowance-exceeded',
  )
  expect(await balanceOf(account)).toBe(1_000n)
})

test('a delegation is useless after the account has disabled it [I-23]', async () => {
  const opened = await openAccount()
  const { session, account } = opened
  const delegation = await delegate(opened, [tokensPerDay(10n, await getBlockTime()), createNoValueCaveat()])
  await redeem(session, contextOf(delegation), transferOf(newAddress(), 1n))
  const { manager } = placed.delegations
  const args = [{ ...delegation, caveats: [...delegation.caveats] }] as const
  const disable = { address: manager, abi, functionName: 'disableDelegation', args } as const
  await expect(createNodeClient().simulateContract({ ...disable, account: session })).rejects.toThrow('reverted')
  await createNodeClient().impersonateAccount({ address: account })
  await createNodeClient().setBalance({ address: account, value: 10n ** 18n })
  await waitUntilMined(createNodeClient(), await createNodeClient().writeContract({ chain: null, account, ...disable }))
  await createNodeClient().stopImpersonatingAccount({ address: account })
  await expectRevert(session, contextOf(delegation), transferOf(newAddress(), 1n), 'CannotUseADisabledDelegation')
})

test('a delegation is valid for one chain, one account, one delegate and its caveats only [I-23]', async () => {
  const [opened, other] = [await openAccount(), await openAccount()]
  const { session } = opened
  const to = newAddress()
  const call = transferOf(to, 1n)
  const caveats = [tokensPerDay(10n, await getBlockTime()), createNoValueCaveat()]
  const good = await delegate(opened, caveats)
  const wrongSignature = 'InvalidERC1271Signature'
  const elsewhere = await delegate(opened, caveats, { onChain: 1 })
  await expectRevert(session, contextOf(elsewhere), call, wrongSignature)
  await expectRevert(session, contextOf({ ...good, delegator: other.account }), call, wrongSignature)
  await expectRevert(session, contextOf({ ...good, caveats: [] }), call, wrongSignature)
  await expectRevert(session, contextOf({ ...good, salt: good.salt + 1_000n }), call, wrongSignature)
  await expectRevert(other.session, contextOf({ ...good, delegate: other.session.address }), call, wrongSignature)
  await expectRevert(other.session, contextOf(good), call, 'InvalidDelegate')
  await expectRevert(session, contextOf({ ...good, authority: zeroHash }), call, wrongSignature)
  const self = { ...good, delegator: session.address, delegate: session.address, authority: rootAuthority }
  await expectRevert(session, contextOf(self, good), call, 'reverted')
  await redeem(session, contextOf(good), call)
  expect(await balanceOf(to)).toBe(1n)
})

test('an account is created before its delegations are redeemed', async () => {
  const opened = await openAccount()
  const args = [opened.key.address, 1n] as const
  const read = { address: placed.factory, abi, args } as const
  const account = await createNodeClient().readContract({ ...read, functionName: 'getAddress' })
  const undeployed = { ...opened, account }
  const to = newAddress()
  await createNodeClient().setBalance({ address: account, value: 10n })
  const context = contextOf(await delegate(undeployed, coinsPerDay(10n, await getBlockTime())))
  await expectRevert(opened.session, context, { target: to, value: 1n }, 'reverted')
  const create = { ...read, chain: null, account: opened.session, functionName: 'createAccount' } as const
  await waitUntilMined(createNodeClient(), await createNodeClient().writeContract(create))
  await redeem(opened.session, context, { target: to, value: 1n })
  expect(await createNodeClient().getBalance({ address: to })).toBe(1n)
})

test('a delegation ends when the account changes its key [I-23]', async () => {
  const opened = await openAccount()
  const { account, session } = opened
  const context = contextOf(await delegate(opened, [tokensPerDay(10n, await getBlockTime()), createNoValueCaveat()]))
  await createNodeClient().impersonateAccount({ address: account })
  await createNodeClient().setBalance({ address: account, value: 10n ** 18n })
  const args = [newAddress()] as const
  const change = { chain: null, account, address: account, abi, functionName: 'setSigner', args } as const
  await waitUntilMined(createNodeClient(), await createNodeClient().writeContract(change))
  await createNodeClient().stopImpersonatingAccount({ address: account })
  await expectRevert(session, context, transferOf(newAddress(), 1n), 'InvalidERC1271Signature')
  expect(await balanceOf(account)).toBe(1_000n)
})

test('nothing but the delegation manager executes delegated calls [I-24]', async () => {
  const { account, session, key } = await openAccount()
  const args = [zeroHash, encode(transferOf(session.address, 1n))] as const
  const call = { address: account, abi, functionName: 'executeFromExecutor', args } as const
  for (const from of [session.address, key.address, account, placed.entryPoint, placed.delegations.enforcers.timestamp])
    await expect(createNodeClient().simulateContract({ ...call, account: from })).rejects.toThrow('AccountUnauthorized')
})

test('a delegation without any caveat still does not reach the account, its deposit and other delegations [I-24]', async () => {
  const opened = await openAccount()
  const { session, account } = opened
  const context = contextOf(await delegate(opened, []))
  const data = encodeFunctionData({ abi, functionName: 'setSigner', args: [session.address] })
  const unsupported = 'UnsupportedDelegatedCall'
  for (const target of [account, zeroAddress, placed.entryPoint, placed.delegations.manager])
    await expectRevert(session, context, { target, data }, unsupported)
  const modes: readonly Hex[] = [`0x01${'00'.repeat(31)}`, `0x0001${'00'.repeat(30)}`, `0xff${'00'.repeat(31)}`]
  for (const mode of modes) await expectRevert(session, context, transferOf(session.address, 1n), unsupported, mode)
  await redeem(session, context, transferOf(session.address, 1n))
  expect(await balanceOf(session.address)).toBe(1n)
})

test('a delegate that redeems again while it is paid stays within the allowance [I-23]', async () => {
  const opened = await openAccount()
  const { manager } = placed.delegations
  const { abi: attackerAbi, bytecode } = await readArtifact('ReentrantRedeemer')
  const deployed = await waitUntilMined(
    createNodeClient(),
    await createNodeClient().deployContract({
      chain: null,
      account: opened.session,
      abi: attackerAbi,
      bytecode,
      args: [manager],
    }),
  )
  const attacker = deployed.contractAddress ?? zeroAddress
  const context = contextOf(await delegate(opened, coinsPerDay(10n, await getBlockTime()), { to: attacker }))
  const args = [context, encode({ target: attacker, value: 4n }), 5n] as const
  const attack = { chain: null, account: opened.session, address: attacker, abi: attackerAbi, args } as const
  await waitUntilMined(
    createNodeClient(),
    await createNodeClient().writeContract({ ...attack, functionName: 'redeem', gas: 5_000_000n }),
  )
  // Two payments of 4 fit into 10, the third one does not.
  expect(await createNodeClient().getBalance({ address: attacker })).toBe(8n)
})

test('random redemptions never exceed the allowance of a period [I-23]', { tags: 'faults' }, async () => {
  const step = fc.record({ amount: fc.bigInt({ min: 0n, max: 12n }), wait: fc.constantFrom(0, 0, day / 2, day) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const opened = await openAccount()
      const start = await getBlockTime()
      const context = contextOf(await delegate(opened, [tokensPerDay(10n, start), createNoValueCaveat()]))
      const spent = new Map<number, bigint>()
      for (const { amount, wait } of steps) {
        await createNodeClient().increaseTime({ seconds: wait })
        const to = newAddress()
        await redeem(opened.session, context, transferOf(to, amount)).catch(() => undefined)
        const period = Math.floor(((await getBlockTime()) - start) / day)
        spent.set(period, (spent.get(period) ?? 0n) + (await balanceOf(to)))
      }
      for (const total of spent.values()) expect(total).toBeLessThanOrEqual(10n)
    }),
    { numRuns: 15 },
  )
})
