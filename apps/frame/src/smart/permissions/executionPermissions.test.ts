import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { localAccount } from '@latchkey/devnet'
import {
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  http,
  parseAbi,
  publicActions,
  walletActions,
  zeroHash,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openSmartWallet,
  openSmartWorld,
  pageOrigin,
  projectId,
  type SmartTestWallet,
  type SmartWorld,
} from '../../testing/openSmartWorld.ts'
import { decodePermissionContext, delegationTypedData, encodePermissionContext } from './delegation.ts'
import type { ExecutionPermission } from './delegatePermissions.ts'
import { toOriginPolicy } from '../findSealedOrigin.ts'
import { createPermissionRegistry } from './permissionRegistry.ts'

// The bundler is installed on first use, which takes about half a minute.
const timeoutMs = 300_000
const day = 86_400
const abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] calls)',
  'error CannotUseADisabledDelegation()',
])

let world: SmartWorld
beforeAll(async () => {
  world = await openSmartWorld(timeoutMs)
}, timeoutMs)
afterAll(() => world.close())

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', transport: http(world.chain.rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
const { address: funded } = localAccount(0)
const newAddress = (): Hex => privateKeyToAccount(generatePrivateKey()).address
const nowSeconds = (): number => Math.floor(Date.now() / 1_000)
const getTimeInOneDay = (): number => nowSeconds() + day
const expiryRule = (timestamp = getTimeInOneDay()) => [{ type: 'expiry', data: { timestamp } }]
// With periods that begin at midnight, a run around midnight would have two budgets.
const periodStart = nowSeconds() - 60
const tokenPermission = (amount: Hex) => ({
  type: 'erc20-token-periodic',
  isAdjustmentAllowed: false,
  data: { tokenAddress: world.token, periodAmount: amount, periodDuration: day, startTime: periodStart },
})
const balanceOf = (account: Hex) =>
  createNodeClient().readContract({ address: world.token, abi, functionName: 'balanceOf', args: [account] })

async function openSession(): Promise<PrivateKeyAccount> {
  const session = privateKeyToAccount(generatePrivateKey())
  await createNodeClient().setBalance({ address: session.address, value: 10n ** 18n })
  return session
}

async function openFundedWallet() {
  const wallet = openSmartWallet(world)
  const account = await wallet.address()
  const args = [account, 1_000n] as const
  await createNodeClient().writeContract({
    chain: null,
    account: funded,
    address: world.token,
    abi,
    functionName: 'transfer',
    args,
  })
  await createNodeClient().setBalance({ address: account, value: 1_000n })
  return { wallet, account }
}

async function request(wallet: SmartTestWallet, wanted: object): Promise<ExecutionPermission> {
  const params = [{ chainId: '0x7a69', rules: expiryRule(), ...wanted }]
  const granted = (await wallet.request('wallet_requestExecutionPermissions', params)) as ExecutionPermission[]
  const [permission] = granted
  if (permission === undefined) throw new Error('The wallet granted nothing.')
  return permission
}

/** Redeems a permission as an app does: creates the account if necessary, then sends the context and the call. */
async function redeem(
  session: PrivateKeyAccount,
  {
    context,
    delegationManager,
    dependencies,
  }: Pick<ExecutionPermission, 'context' | 'delegationManager' | 'dependencies'>,
  { to, value = 0n, data = '0x' }: { to: Hex; value?: bigint; data?: Hex },
): Promise<void> {
  for (const { factory, factoryData } of dependencies) {
    const created = await createNodeClient().sendTransaction({
      chain: null,
      account: session,
      to: factory,
      data: factoryData,
    })
    // The node returns the hash before it mines the block, and the simulation below needs the account.
    await createNodeClient().waitForTransactionReceipt({ hash: created })
  }
  const call = encodePacked(['address', 'uint256', 'bytes'], [to, value, data])
  const args = [[context], [zeroHash], [call]] as const
  const redemption = {
    account: session,
    address: delegationManager,
    abi,
    functionName: 'redeemDelegations',
    args,
  } as const
  await createNodeClient().simulateContract(redemption)
  const hash = await createNodeClient().writeContract({ chain: null, ...redemption })
  const { status } = await createNodeClient().waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('reverted')
}

const createTransferCall = (to: Hex, amount: bigint) => ({
  to: world.token,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
})

test('an app redeems a permission without the wallet, and the network enforces its limits [I-23]', async () => {
  const { wallet, account } = await openFundedWallet()
  const [session, to] = [await openSession(), newAddress()]
  const permission = await request(wallet, { from: account, to: session.address, permission: tokenPermission('0xa') })
  const { factory, delegations } = world.chain.smartAccounts
  expect(permission).toMatchObject({
    chainId: '0x7a69',
    from: account,
    to: session.address,
    permission: tokenPermission('0xa'),
    delegationManager: delegations.manager,
    dependencies: [{ factory }],
  })
  expect(wallet.shown.at(-1)).toMatchObject({ action: 'permissions', banners: [{ kind: 'networkKeeps' }] })
  await redeem(session, permission, createTransferCall(to, 7n))
  const deployed = { ...permission, dependencies: [] }
  await expect(redeem(session, deployed, createTransferCall(to, 4n))).rejects.toThrow('transfer-amount-exceeded')
  await expect(redeem(await openSession(), deployed, createTransferCall(to, 1n))).rejects.toThrow('reverted')
  await redeem(session, deployed, createTransferCall(to, 3n))
  expect(await balanceOf(to)).toBe(10n)
})

test('a permission is revoked on the chain, after the user’s approval [I-23]', async () => {
  const { wallet, account } = await openFundedWallet()
  const session = await openSession()
  const wanted = { from: account, to: session.address, permission: tokenPermission('0xa') }
  const [permission, other] = [await request(wallet, wanted), await request(wallet, wanted)]
  expect(await wallet.request('wallet_getGrantedExecutionPermissions', [])).toEqual([other, permission])
  await redeem(session, permission, createTransferCall(newAddress(), 1n))
  expect(await wallet.request('wallet_revokeExecutionPermission', [{ permissionContext: permission.context }])).toEqual(
    {},
  )
  expect(wallet.shown.at(-1)).toMatchObject({
    action: 'revoke',
    sections: [{ rows: [{ label: 'sessionAccount' }, { label: 'until' }] }, { title: 'raw' }],
  })
  const call = createTransferCall(newAddress(), 1n)
  await expect(redeem(session, { ...permission, dependencies: [] }, call)).rejects.toThrow('DisabledDelegation')
  expect(await wallet.request('wallet_getGrantedExecutionPermissions', [])).toEqual([other])
  await redeem(session, { ...other, dependencies: [] }, call)
  await expect(
    wallet.request('wallet_revokeExecutionPermission', [{ permissionContext: permission.context }]),
  ).rejects.toMatchObject({ code: -32_000 })
  // The earlier method ends permissions of both kinds.
  await wallet.request('wallet_revokePermissions', [{ permissionContext: other.context }])
  await expect(redeem(session, { ...other, dependencies: [] }, call)).rejects.toThrow('DisabledDelegation')
})

test('a permission stays valid if the user declines to revoke it', { tags: 'abuse' }, async () => {
  let isApproved = true
  const wallet = openSmartWallet(world, { approves: () => isApproved })
  const session = await openSession()
  const permission = await request(wallet, { to: session.address, permission: tokenPermission('0xa') })
  isApproved = false
  const revocation = wallet.request('wallet_revokeExecutionPermission', [{ permissionContext: permission.context }])
  await expect(revocation).rejects.toMatchObject({ code: 4001 })
  expect(await wallet.request('wallet_getGrantedExecutionPermissions', [])).toEqual([permission])
  const declined = request(wallet, { to: session.address, permission: tokenPermission('0xa') })
  await expect(declined).rejects.toMatchObject({ code: 4001 })
})

test('the permissions of a page are unknown to other pages', { tags: 'abuse' }, async () => {
  const wallet = openSmartWallet(world)
  await request(wallet, { to: newAddress(), permission: tokenPermission('0xa') })
  expect(await wallet.request('wallet_getGrantedExecutionPermissions', [], 'https://other.example.org')).toEqual([])
  expect(await wallet.request('wallet_getGrantedExecutionPermissions', [], pageOrigin)).toHaveLength(1)
})

test(
  'the user finds the permissions of all pages on another device, and only those that the key signed [I-23]',
  { tags: 'abuse' },
  async () => {
    const { wallet, account } = await openFundedWallet()
    const session = await openSession()
    const permission = await request(wallet, { to: session.address, permission: tokenPermission('0xa') })
    const other = await request(wallet, { to: session.address, permission: tokenPermission('0xb') })
    const delegation = decodePermissionContext(permission.context)
    if (delegation === undefined) throw new Error('The context has one delegation.')
    // Anyone can write into the registry.
    const forged = encodePermissionContext({ ...delegation, delegate: newAddress() })
    const registry = createPermissionRegistry({ url: world.serverUrl, projectId })
    const terms = { expiry: getTimeInOneDay(), signer: { type: 'account', data: {} }, permissions: [], policies: [] }
    for (const context of [forged, '0x1234'])
      await registry.enter(`eip155:31337:${account.toLowerCase()}`, context, terms)

    const device = openSmartWallet(world, { key: wallet.key })
    const contextsOf = async () => (await device.smart.ownPermissions()).map(({ context }) => context)
    expect(await contextsOf()).toEqual([other.context, permission.context])
    expect(await device.smart.ownPermissions()).toMatchObject([{ account, delegate: session.address }, {}])
    await device.request('wallet_revokeExecutionPermission', [{ permissionContext: permission.context }])
    expect(await contextsOf()).toEqual([other.context])
    const call = createTransferCall(newAddress(), 1n)
    await expect(redeem(session, { ...permission, dependencies: [] }, call)).rejects.toThrow('DisabledDelegation')
  },
)

/** A server whose operator changes the policies of registered permissions. */
async function startLyingServer(change: (policies: readonly unknown[][]) => readonly unknown[]) {
  const server = createServer((requested, response) => {
    const forward = async (): Promise<string> => {
      const body = await new Response(Readable.toWeb(requested) as ReadableStream).text()
      const init = { method: requested.method ?? 'GET', headers: { 'content-type': 'application/json' } }
      const result = await fetch(world.serverUrl + requested.url, body === '' ? init : { ...init, body })
      const content = (await result.json()) as { pcis?: { policies: unknown[] }[] }
      const policies = change((content.pcis ?? []).map((each) => each.policies))
      return JSON.stringify({
        ...content,
        ...(content.pcis && { pcis: content.pcis.map((each, index) => ({ ...each, policies: policies[index] })) }),
      })
    }
    forward().then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      () => response.writeHead(502).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test(
  'the user sees on another device which page got each permission, and no forged or swapped origin [I-23]',
  { tags: 'abuse' },
  async () => {
    const wallet = openSmartWallet(world)
    const account = await wallet.address()
    const otherOrigin = 'https://other.example.org'
    const wanted = { chainId: '0x7a69', rules: expiryRule(), to: newAddress(), permission: tokenPermission('0xa') }
    const grant = async (origin: string) =>
      ((await wallet.request('wallet_requestExecutionPermissions', [wanted], origin)) as ExecutionPermission[])[0] ??
      expect.fail('nothing was granted')
    const first = await grant(pageOrigin)
    const second = await grant(otherOrigin)
    const originsOf = async (serverUrl = world.serverUrl) =>
      (await openSmartWallet(world, { key: wallet.key, serverUrl }).smart.ownPermissions()).map(({ origin }) => origin)
    expect(await originsOf()).toEqual([otherOrigin, pageOrigin])

    // An attacker registers the permissions again: with the other origin, with arbitrary text, and without an origin.
    const registry = createPermissionRegistry({ url: world.serverUrl, projectId })
    const id = `eip155:31337:${account.toLowerCase()}`
    const sealed = (await registry.list(id)).map((entry) => entry.sealedOrigin ?? expect.fail('no origin'))
    const terms = { expiry: getTimeInOneDay(), signer: { type: 'account', data: {} }, permissions: [] }
    const forged = { type: 'latchkey-sealed-origin', data: 'aHR0cHM6Ly9iYW5rLmV4YW1wbGU' }
    for (const policies of [[toOriginPolicy(sealed[0] ?? new Uint8Array())], [forged], []])
      await registry.enter(id, first.context, { ...terms, policies })
    await registry.enter(id, second.context, { ...terms, policies: [toOriginPolicy(sealed[1] ?? new Uint8Array())] })
    expect((await originsOf()).toSorted()).toEqual([pageOrigin, otherOrigin].toSorted())

    // A registry that returns nothing else can hide the origin, and not replace it.
    for (const lie of [
      (policies: readonly unknown[][]) => policies.toReversed().map((each) => each.slice(0, 1)),
      (policies: readonly unknown[][]) => policies.map(() => [forged]),
      (policies: readonly unknown[][]) => policies.map(() => []),
    ]) {
      const fresh = openSmartWallet(world)
      for (const origin of [pageOrigin, otherOrigin])
        await fresh.request('wallet_requestExecutionPermissions', [wanted], origin)
      const server = await startLyingServer(lie)
      const { smart } = openSmartWallet(world, { key: fresh.key, serverUrl: server.url })
      expect((await smart.ownPermissions()).map(({ origin }) => origin)).toEqual([undefined, undefined])
      server.close()
    }
  },
)

test('no permission is granted that the user would not find again', { tags: 'abuse' }, async () => {
  const wallet = openSmartWallet(world, { serverUrl: 'http://127.0.0.1:1' })
  const granted = request(wallet, { to: newAddress(), permission: tokenPermission('0xa') })
  await expect(granted).rejects.toMatchObject({ code: -32_603 })
})

test('the permission of another account can’t be revoked', { tags: 'abuse' }, async () => {
  const [wallet, other] = [openSmartWallet(world), openSmartWallet(world)]
  const { context } = await request(other, { to: newAddress(), permission: tokenPermission('0xa') })
  const revocation = wallet.request('wallet_revokeExecutionPermission', [{ permissionContext: context }])
  await expect(revocation).rejects.toMatchObject({ code: 4100 })
})

test('the earlier form of ERC-7715 grants the same permission to the signer account', { tags: 'abuse' }, async () => {
  const { wallet, account } = await openFundedWallet()
  const [session, to] = [await openSession(), newAddress()]
  const data = { allowance: '0x5', period: day, start: 0 }
  const wanted = {
    chainId: '0x7a69',
    address: account,
    expiry: getTimeInOneDay(),
    signer: { type: 'account', data: { address: session.address } },
    permissions: [{ type: 'native-token-recurring-allowance', data }],
  }
  const { context, signerMeta, accountMeta } = (await wallet.request('wallet_grantPermissions', [wanted])) as {
    context: Hex
    signerMeta: { delegationManager: Hex }
    accountMeta: { factory: Hex; factoryData: Hex }
  }
  const { delegationManager } = signerMeta
  await redeem(session, { context, delegationManager, dependencies: [accountMeta] }, { to, value: 5n })
  const again = redeem(session, { context, delegationManager, dependencies: [] }, { to, value: 1n })
  await expect(again).rejects.toThrow('NativeTokenPeriodTransferEnforcer')
  expect(await createNodeClient().getBalance({ address: to })).toBe(5n)
})

test('the supported permissions name the chain and the rule', async () => {
  const wallet = openSmartWallet(world)
  expect(await wallet.request('wallet_getSupportedExecutionPermissions', [])).toMatchObject({
    'erc20-token-periodic': { chainIds: ['0x7a69'], ruleTypes: ['expiry'] },
    'contract-call': { chainIds: ['0x7a69'], ruleTypes: ['expiry'] },
  })
  await wallet.smart.describeAccounts(wallet.where())
  await wallet.smart.prefer(wallet.where(), 'eoa')
  expect(await wallet.request('wallet_getSupportedExecutionPermissions', [])).toEqual({})
})

test('several permissions get one approval and separate contexts', { tags: 'abuse' }, async () => {
  const { wallet } = await openFundedWallet()
  const [session, to] = [await openSession(), newAddress()]
  const coins = { type: 'native-token-periodic', data: { periodAmount: '0x5', periodDuration: day } }
  const granted = (await wallet.request(
    'wallet_requestExecutionPermissions',
    [tokenPermission('0xa'), coins].map((permission) => ({
      chainId: '0x7a69',
      to: session.address,
      permission,
      rules: expiryRule(),
    })),
  )) as ExecutionPermission[]
  expect(wallet.shown).toHaveLength(1)
  const [tokens, native] = granted
  if (tokens === undefined || native === undefined) throw new Error('Two permissions were requested.')
  await redeem(session, tokens, createTransferCall(to, 1n))
  await expect(redeem(session, { ...native, dependencies: [] }, createTransferCall(to, 1n))).rejects.toThrow('reverted')
  await expect(redeem(session, { ...tokens, dependencies: [] }, { to, value: 1n })).rejects.toThrow('reverted')
})

test('permissions that could reach the wallet itself, or move balances, are refused [I-24]', async () => {
  const { wallet, account } = await openFundedWallet()
  const { manager } = world.chain.smartAccounts.delegations
  const { entryPoint } = world.chain.smartAccounts
  const item = { type: 'function', name: 'act', stateMutability: 'payable', inputs: [], outputs: [] }
  const callOf = (address: Hex, name = 'act') => ({
    type: 'contract-call',
    data: { address, abi: [{ ...item, name }], functions: [{ functionName: name }] },
  })
  const to = newAddress()
  const attempts: readonly object[] = [
    { to, permission: callOf(account) },
    { to, permission: callOf(manager) },
    { to, permission: callOf(entryPoint) },
    { to, permission: callOf(world.token) },
    { to: account, permission: tokenPermission('0xa') },
    { to: manager, permission: tokenPermission('0xa') },
    { to: '0x0000000000000000000000000000000000000a11', permission: tokenPermission('0xa') },
    { to: '0x0000000000000000000000000000000000000000', permission: tokenPermission('0xa') },
    { to, permission: { type: 'everything', data: {} } },
    { to, permission: tokenPermission('0x0') },
    { to, permission: tokenPermission('0xa'), rules: [] },
    { to, permission: tokenPermission('0xa'), rules: expiryRule(1) },
    { to, permission: tokenPermission('0xa'), rules: expiryRule(getTimeInOneDay() + 400 * day) },
    { to, permission: tokenPermission('0xa'), rules: [...expiryRule(), { type: 'redeemer', data: {} }] },
  ]
  for (const attempt of attempts) await expect(request(wallet, attempt)).rejects.toMatchObject({ code: -32_602 })
  expect(wallet.shown).toEqual([])
})

test.each(['smartAccount', 'eoa'] as const)(
  'a delegation that a page writes itself is not signed for %s [I-24]',
  async (type) => {
    const { wallet, account } = await openFundedWallet()
    const { context } = await request(wallet, { to: newAddress(), permission: tokenPermission('0xa') })
    const delegation = decodePermissionContext(context)
    if (delegation === undefined) throw new Error('The context has one delegation.')
    const screens = wallet.shown.length
    // Without its caveats, the delegation would give the whole account away.
    const { manager } = world.chain.smartAccounts.delegations
    const data = delegationTypedData({ ...delegation, caveats: [] }, 31_337, manager)
    const content = JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
    await wallet.smart.describeAccounts(wallet.where())
    await wallet.smart.prefer(wallet.where(), type)
    const from = type === 'eoa' ? wallet.key.address : account
    await expect(wallet.request('eth_signTypedData_v4', [from, content])).rejects.toMatchObject({ code: 4200 })
    expect(wallet.shown).toHaveLength(screens)
  },
)

test('a call that redeems without a delegation is shown as taking over the account [I-24]', async () => {
  const { wallet, account } = await openFundedWallet()
  const { manager } = world.chain.smartAccounts.delegations
  const call = encodePacked(['address', 'uint256', 'bytes'], [newAddress(), 1n, '0x'])
  // The manager then makes the call as its own caller.
  const noDelegation = encodeAbiParameters([{ type: 'bytes[]' }], [[]])
  const data = encodeFunctionData({
    abi,
    functionName: 'redeemDelegations',
    args: [[noDelegation], [zeroHash], [call]],
  })
  await wallet.request('eth_sendTransaction', [{ from: account, to: manager, data }])
  expect(wallet.shown.at(-1)?.banners).toContainEqual({ kind: 'delegates' })
})
