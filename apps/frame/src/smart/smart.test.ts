import { localAccount } from '@latchkey/devnet'
import {
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
  walletActions,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openSmartWallet,
  openSmartWorld,
  pageOrigin as origin,
  projectId,
  type SmartTestWallet,
  type SmartWorld,
} from '../testing/openSmartWorld.ts'
import { domainOf, encodeCalls } from './smartAccount.ts'

// The bundler is installed on first use, which takes about half a minute.
const timeoutMs = 300_000
const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])
const factoryAbi = parseAbi(['function getAddress(address signer, uint256 salt) view returns (address)'])

let world: SmartWorld

beforeAll(async () => {
  world = await openSmartWorld(timeoutMs)
}, timeoutMs)
afterAll(() => world.close())

const openWallet = (options?: Parameters<typeof openSmartWallet>[1]) => openSmartWallet(world, options)

type Wallet = SmartTestWallet

const createNodeClient = () => createPublicClient({ transport: http(world.chain.rpcUrl), pollingInterval: 20 })
const createAnvilClient = () =>
  createTestClient({
    mode: 'anvil',
    account: localAccount(0).address,
    transport: http(world.chain.rpcUrl),
  }).extend(walletActions)

const balanceOf = (account: Hex) =>
  createNodeClient().readContract({ address: world.token, abi: tokenAbi, functionName: 'balanceOf', args: [account] })

async function giveTokens(to: Hex, amount: bigint): Promise<void> {
  const args = [to, amount] as const
  await createAnvilClient().writeContract({
    chain: null,
    address: world.token,
    abi: tokenAbi,
    functionName: 'transfer',
    args,
  })
}

const sendTokens = (to: Hex, amount: bigint) => ({
  to: world.token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] }),
})

const newAddress = (): Hex => privateKeyToAccount(generatePrivateKey()).address

async function waitForCalls(wallet: Wallet, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const status = (await wallet.request('wallet_getCallsStatus', [id])) as Record<string, unknown>
    if (status['status'] !== 100) return status
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const typedData = {
  domain: { name: 'Shop', version: '1', chainId: 31_337, verifyingContract: localAccount(1).address },
  types: {
    Order: [
      { name: 'to', type: 'address' },
      { name: 'items', type: 'Item[]' },
    ],
    Item: [{ name: 'id', type: 'uint256' }],
  },
  primaryType: 'Order',
  message: { to: localAccount(2).address, items: [{ id: '7' }] },
} as const

test('the account’s address is computed locally and matches the factory', async () => {
  const wallet = openWallet()
  const address = await wallet.address()
  const { factory } = world.chain.smartAccounts
  const args = [wallet.key.address, 0n] as const
  const status = await createNodeClient().readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'getAddress',
    args,
  })
  expect(address).toBe(status)
})

test('signatures before and after the deployment are accepted by contracts (ERC-6492, ERC-1271)', async () => {
  const wallet = openWallet()
  const address = await wallet.address()
  const message = 'Hello'
  const verify = async (): Promise<readonly boolean[]> => {
    const signed = (await wallet.request('personal_sign', [message, address])) as Hex
    const data = (await wallet.request('eth_signTypedData_v4', [address, JSON.stringify(typedData)])) as Hex
    return Promise.all([
      createNodeClient().verifyMessage({ address, message, signature: signed }),
      createNodeClient().verifyTypedData({ address, ...typedData, signature: data } as never),
      createNodeClient().verifyMessage({ address, message: 'Hello!', signature: signed }),
    ])
  }
  expect(await verify()).toEqual([true, true, false])
  expect(await wallet.smart.init(wallet.where())).toEqual({ address, isDeployed: false })
  await wallet.request('eth_sendTransaction', [{ from: address, to: newAddress(), value: '0x0' }])
  expect(await wallet.smart.init(wallet.where())).toEqual({ address, isDeployed: true })
  expect(await verify()).toEqual([true, true, false])
})

test('signing a message sends no request after the approval, and stays valid if the account is deployed in the meantime', async () => {
  const requests: string[] = []
  let approved = false
  let deploy = async (): Promise<void> => undefined
  const load: typeof fetch = async (input, init) => {
    if (approved) requests.push(String(init?.body))
    return fetch(input, init)
  }
  const approves = async (): Promise<boolean> => {
    await deploy()
    approved = true
    return true
  }
  const key = privateKeyToAccount(generatePrivateKey())
  const wallet = openWallet({ key, load, approves })
  const address = await wallet.address()
  const sign = async (): Promise<boolean> => {
    approved = false
    const signature = (await wallet.request('personal_sign', ['Hello', address])) as Hex
    return createNodeClient().verifyMessage({ address, message: 'Hello', signature })
  }
  expect(await sign()).toBe(true)
  deploy = async () => {
    const other = openWallet({ key })
    await other.request('eth_sendTransaction', [{ from: address, to: newAddress(), value: '0x0' }])
  }
  expect(await sign()).toBe(true)
  expect(await createNodeClient().getCode({ address })).toBeDefined()
  expect(requests).toEqual([])
})

test('a signature for one account is invalid for another account of the key', async () => {
  const wallet = openWallet()
  const address = await wallet.address()
  const signature = (await wallet.request('personal_sign', ['Hello', address])) as Hex
  expect(await createNodeClient().verifyMessage({ address: wallet.key.address, message: 'Hello', signature })).toBe(
    false,
  )
})

test('a user without coins sends a sponsored transaction, and the screen names the sponsor', async () => {
  const wallet = openWallet()
  const [address, to] = [await wallet.address(), newAddress()]
  await giveTokens(address, 5n)
  const hash = (await wallet.request('eth_sendTransaction', [{ from: address, ...sendTokens(to, 5n) }])) as Hex
  expect(await createNodeClient().getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await balanceOf(to)).toBe(5n)
  const [facts] = wallet.shown
  expect(facts?.fee).toBeUndefined()
  expect(facts?.sections.flatMap(({ rows }) => rows.map(({ label }) => label))).toContain('sponsor')
})

test('an unsponsored transaction shows its maximum fee', async () => {
  const wallet = openWallet({ sponsored: false })
  const [address, to] = [await wallet.address(), newAddress()]
  const transaction = [{ from: address, to, value: '0x5' }]
  await expect(wallet.request('eth_sendTransaction', transaction)).rejects.toThrow(
    'the balance is insufficient for the amount and the fee',
  )
  await createAnvilClient().setBalance({ address, value: parseEther('1') })
  await wallet.request('eth_sendTransaction', transaction)
  expect(await createNodeClient().getBalance({ address: to })).toBe(5n)
  const fee = wallet.shown.at(-1)?.fee?.units ?? 0n
  const paid = parseEther('1') - 5n - (await createNodeClient().getBalance({ address }))
  expect(paid).toBeGreaterThan(0n)
  expect(fee).toBeGreaterThanOrEqual(paid)
})

test('a batch of calls is atomic (EIP-5792)', async () => {
  const wallet = openWallet()
  const [address, one, other] = [await wallet.address(), newAddress(), newAddress()]
  await giveTokens(address, 10n)
  const calls = [sendTokens(one, 4n), sendTokens(other, 6n)]
  await expect(
    wallet.request('wallet_sendCalls', [{ version: '2.0.0', from: address, calls: [...calls, sendTokens(one, 1n)] }]),
  ).rejects.toMatchObject({ code: -32_000 })
  const { id } = (await wallet.request('wallet_sendCalls', [{ version: '2.0.0', from: address, calls }])) as {
    id: string
  }
  expect(await waitForCalls(wallet, id)).toMatchObject({ status: 200, atomic: true, chainId: '0x7a69' })
  expect([await balanceOf(one), await balanceOf(other), await balanceOf(address)]).toEqual([4n, 6n, 0n])
  expect(wallet.shown.at(-1)).toMatchObject({
    action: 'transactions',
    sections: [{ title: 'step' }, { title: 'step' }, {}, {}],
  })
  await expect(wallet.request('wallet_getCallsStatus', [id], 'https://other.example.org')).rejects.toMatchObject({
    code: 5730,
  })
})

test('the operation that is checked against the signing rules is the one that is signed [L-01]', async () => {
  const wallet = openWallet()
  const from = await wallet.address()
  await wallet.request('wallet_sendCalls', [{ version: '2.0.0', from, calls: [{ to: from, value: '0x0' }] }])
  await wallet.request('personal_sign', ['0x' + '11'.repeat(32), from])
  expect(wallet.previewed).toHaveLength(1)
  expect(wallet.previewed).toEqual(wallet.signed.filter(({ kind }) => kind === 'evm-typed-data').slice(0, 1))
})

test('calls with the same id are sent once', async () => {
  const wallet = openWallet()
  const from = await wallet.address()
  const wanted = [{ version: '2.0.0', id: 'order-1', from, calls: [{ to: newAddress() }] }]
  expect(await wallet.request('wallet_sendCalls', wanted)).toEqual({ id: 'order-1' })
  await expect(wallet.request('wallet_sendCalls', wanted)).rejects.toMatchObject({ code: 5720 })
})

test('capabilities are reported for networks with smart accounts', async () => {
  const wallet = openWallet()
  const address = await wallet.address()
  expect(await wallet.request('wallet_getCapabilities', [address])).toMatchObject({
    '0x7a69': {
      atomic: { status: 'supported' },
      paymasterService: { supported: true },
      permissions: { supported: true },
    },
  })
  await wallet.smart.prefer(wallet.where(), 'eoa')
  expect(await wallet.request('wallet_getCapabilities', [wallet.key.address])).toEqual({})
  const wanted = [{ version: '2.0.0', from: address, calls: [{ to: newAddress(), capabilities: { magic: {} } }] }]
  await wallet.smart.prefer(wallet.where(), 'smartAccount')
  await expect(wallet.request('wallet_sendCalls', wanted)).rejects.toMatchObject({ code: 5700 })
})

test('of two conflicting transactions one succeeds, and the other reports the reason', async () => {
  const wallet = openWallet()
  const address = await wallet.address()
  await giveTokens(address, 5n)
  const all = () => wallet.request('eth_sendTransaction', [{ from: address, ...sendTokens(newAddress(), 5n) }])
  // Both pass the simulation, and one succeeds.
  const ended = await Promise.allSettled([all(), all()])
  const failed = ended.find(({ status }) => status === 'rejected')
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(failed).toMatchObject({ reason: { code: -32_000, message: expect.stringMatching(/fail/) as string } })
})

test('a page’s operation is sent if the wallet can decode it', async () => {
  const wallet = openWallet()
  const [sender, to] = [await wallet.address(), newAddress()]
  await giveTokens(sender, 3n)
  const { entryPoint } = world.chain.smartAccounts
  const callData = encodeCalls([{ value: 0n, ...sendTokens(to, 3n) }])
  const hash = await wallet.request('eth_sendUserOperation', [{ sender, callData }, entryPoint])
  await expect.poll(() => wallet.request('eth_getUserOperationReceipt', [hash])).toMatchObject({ success: true })
  expect(await balanceOf(to)).toBe(3n)
  const odd = [{ sender, callData: `${callData.slice(0, -2)}01` }, entryPoint]
  await expect(wallet.request('eth_sendUserOperation', odd)).rejects.toMatchObject({ code: -32_602 })
  const elsewhere = [{ sender, callData }, world.token]
  await expect(wallet.request('eth_sendUserOperation', elsewhere)).rejects.toMatchObject({ code: -32_602 })
})

test.each(['smartAccount', 'eoa'] as const)(
  'typed data of the account’s own domain is refused for %s, because it would be an operation',
  async (type) => {
    const wallet = openWallet()
    const address = await wallet.address()
    await wallet.smart.describeAccounts(wallet.where())
    await wallet.smart.prefer(wallet.where(), type)
    const operation = {
      domain: domainOf(31_337, address),
      types: { UserOperation: [{ name: 'hash', type: 'bytes32' }] },
      primaryType: 'UserOperation',
      message: { hash: `0x${'11'.repeat(32)}` },
    }
    const from = type === 'eoa' ? wallet.key.address : address
    await expect(wallet.request('eth_signTypedData_v4', [from, JSON.stringify(operation)])).rejects.toMatchObject({
      code: 4200,
    })
    expect(wallet.shown).toEqual([])
  },
)

const day = 86_400
const grantOf = (expiry: number, to: Hex) => [
  {
    chainId: '0x7a69',
    expiry,
    signer: { type: 'wallet', data: {} },
    permissions: [
      { type: 'erc20-recurring-allowance', data: { address: to, allowance: '0xa', period: day, start: 0 } },
      { type: 'native-token-recurring-allowance', data: { allowance: '0x5', period: day, start: 0 } },
    ],
  },
]
type GrantedPermission = { context: Hex; expiry: number }
const getTimeInOneDay = () => Math.floor(Date.now() / 1_000) + day

function sendByPermission(wallet: Wallet, from: Hex, context: Hex, calls: readonly object[], page = origin) {
  const capabilities = { permissions: { context } }
  return wallet.request('wallet_sendCalls', [{ version: '2.0.0', from, chainId: '0x7a69', calls, capabilities }], page)
}

test('a page sends without approval within its permission, and not beyond it', async () => {
  const clock = { ms: Date.now() }
  const wallet = openWallet({ clock })
  const [from, to] = [await wallet.address(), newAddress()]
  await giveTokens(from, 100n)
  const { context } = (await wallet.request(
    'wallet_grantPermissions',
    grantOf(getTimeInOneDay() + day, world.token),
  )) as GrantedPermission
  const screens = wallet.shown.length
  expect(wallet.shown.at(-1)).toMatchObject({ action: 'permissions', banners: [{ kind: 'walletKeeps' }] })
  const { id } = (await sendByPermission(wallet, from, context, [sendTokens(to, 7n)])) as { id: string }
  expect(await waitForCalls(wallet, id)).toMatchObject({ status: 200 })
  expect(await balanceOf(to)).toBe(7n)

  const refused = { code: 4100, message: 'The calls exceed the permission.' }
  const tries: readonly (readonly object[])[] = [
    [sendTokens(to, 4n)],
    [sendTokens(to, 2n), sendTokens(to, 2n)],
    [{ to: world.token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [to] }) }],
    [{ to: newAddress(), value: '0x6' }],
    [sendTokens(to, 1n), { to: from, value: '0x0', data: '0x12345678' }],
  ]
  for (const calls of tries) await expect(sendByPermission(wallet, from, context, calls)).rejects.toMatchObject(refused)
  const elsewhere = sendByPermission(wallet, from, context, [sendTokens(to, 1n)], 'https://thief.example.org')
  await expect(elsewhere).rejects.toMatchObject({ code: 4100, message: 'This permission is unknown.' })
  const guessed = sendByPermission(wallet, from, `0x${'11'.repeat(32)}`, [sendTokens(to, 1n)])
  await expect(guessed).rejects.toMatchObject({ code: 4100 })
  expect(wallet.shown).toHaveLength(screens)
  expect(await balanceOf(to)).toBe(7n)

  // The next period has its own allowance.
  clock.ms += day * 1_000
  await sendByPermission(wallet, from, context, [sendTokens(to, 10n)])
  clock.ms += 2 * day * 1_000
  const late = sendByPermission(wallet, from, context, [sendTokens(to, 1n)])
  await expect(late).rejects.toMatchObject({ code: 4100, message: 'This permission has expired.' })
})

test('concurrent calls spend an allowance once', async () => {
  const wallet = openWallet()
  const [from, to] = [await wallet.address(), newAddress()]
  await giveTokens(from, 100n)
  const { context } = (await wallet.request(
    'wallet_grantPermissions',
    grantOf(getTimeInOneDay(), world.token),
  )) as GrantedPermission
  const all = Array.from({ length: 4 }, () => sendByPermission(wallet, from, context, [sendTokens(to, 6n)]))
  const ended = await Promise.allSettled(all)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

async function fetchPermissions(account: Hex): Promise<readonly Record<string, unknown>[]> {
  const id = encodeURIComponent(`eip155:31337:${account.toLowerCase()}`)
  const response = await fetch(`${world.serverUrl}/v1/sessions/${id}?projectId=${projectId}`)
  return ((await response.json()) as { pcis: readonly Record<string, unknown>[] }).pcis
}

test('a permission is registered, and useless once it was revoked', async () => {
  const wallet = openWallet()
  const [from, to] = [await wallet.address(), newAddress()]
  await giveTokens(from, 10n)
  const { context } = (await wallet.request(
    'wallet_grantPermissions',
    grantOf(getTimeInOneDay(), world.token),
  )) as GrantedPermission
  expect(await fetchPermissions(from)).toMatchObject([{ context, revokedAt: null, permissions: [{}, {}] }])
  await wallet.request('wallet_revokePermissions', [{ permissionsContext: context }])
  expect(await fetchPermissions(from)).toMatchObject([{ revokedAt: expect.any(Number) as number }])
  await expect(sendByPermission(wallet, from, context, [sendTokens(to, 1n)])).rejects.toMatchObject({ code: 4100 })
})

test('a permission that was revoked elsewhere is not used again', async () => {
  const wallet = openWallet()
  const [from, to] = [await wallet.address(), newAddress()]
  await giveTokens(from, 10n)
  const { context } = (await wallet.request(
    'wallet_grantPermissions',
    grantOf(getTimeInOneDay(), world.token),
  )) as GrantedPermission
  const [entry] = await fetchPermissions(from)
  const account = `eip155:31337:${from.toLowerCase()}`
  const message = `Revoke the permission ${String(entry?.['pci'])} of ${account}.`
  const signature = await wallet.request('personal_sign', [message, from])
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ pci: entry?.['pci'], signature })
  const url = `${world.serverUrl}/v1/sessions/${encodeURIComponent(account)}/revoke?projectId=${projectId}`
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  const late = sendByPermission(wallet, from, context, [sendTokens(to, 1n)])
  await expect(late).rejects.toMatchObject({ code: 4100, message: 'This permission was revoked.' })
})

test('an operation is included within three blocks of one second', async () => {
  const wallet = openWallet()
  const [from, to] = [await wallet.address(), newAddress()]
  const { setAutomine, setIntervalMining } = createAnvilClient()
  await setIntervalMining({ interval: 1 })
  try {
    const before = await createNodeClient().getBlockNumber()
    const hash = (await wallet.request('eth_sendTransaction', [{ from, to, value: '0x0' }])) as Hex
    const { blockNumber } = await createNodeClient().getTransactionReceipt({ hash })
    expect(blockNumber - before).toBeLessThanOrEqual(3n)
  } finally {
    await setIntervalMining({ interval: 0 })
    await setAutomine(true)
  }
})

test('a missing bundler is reported, and signing still works', async () => {
  await world.closeBundler()
  const wallet = openWallet({ sponsored: false })
  const from = await wallet.address()
  const sent = wallet.request('eth_sendTransaction', [{ from, to: newAddress(), value: '0x0' }])
  await expect(sent).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringContaining('cannot be reached') as string,
  })
  expect(await wallet.request('personal_sign', ['Hello', from])).toMatch(/^0x/)
})
