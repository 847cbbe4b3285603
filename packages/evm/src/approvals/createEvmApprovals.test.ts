import { connect, createLatchkey, memoryStorage, start, type Latchkey } from '@latchkey/core'
import { listApprovals, pendingTransactions, revokeApproval, type Approval } from '@latchkey/core/money'
import { readArtifact } from '@latchkey/devnet'
import { announce, createSimulatedExtension } from '@latchkey/testkit'
import { encodeFunctionData, maxUint160, maxUint256, parseAbi, type Address } from 'viem'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

const spender: Address = '0x00000000000000000000000000000000000A11cE'

let chain: TestChain
let keys: Address

beforeAll(async () => {
  chain = await startTestChain()
  keys = await chain.deploy('LocalKeys', ['Local Keys', 'KEY', []])
  return () => chain.stop()
})

afterEach(() => chain.proxy.reconnect())

/** An app whose user connected a wallet of the chain. */
async function connectTestWallet(wallet: TestWallet): Promise<Latchkey> {
  const page = new EventTarget()
  const extension = createSimulatedExtension({
    privateKeys: [wallet.key],
    rpcUrls: { [chain.chain.id]: chain.proxy.url },
    chainId: chain.chain.id,
  })
  announce(extension, page)
  const latchkey = createLatchkey({ adapters: [evm({ chains: [chain.chain], page })], storage: memoryStorage() })
  onTestFinished(start(latchkey))
  const [connector] = latchkey.connectors.getState()
  if (connector === undefined) throw new Error('The extension was not found.')
  await connect(latchkey, connector.id)
  return latchkey
}

/** Sends a call from the wallet, and waits until it is mined. */
async function send(wallet: TestWallet, contract: string, to: Address, functionName: string, args: readonly unknown[]) {
  const { abi } = await readArtifact(contract)
  const hash = await wallet.connection.provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: wallet.address, to, data: encodeFunctionData({ abi, functionName, args }) }],
  })
  await expect.poll(() => chain.request('eth_getTransactionReceipt', hash)).not.toBeNull()
}

async function approvalsOf(latchkey: Latchkey): Promise<readonly Approval[]> {
  return (await listApprovals(latchkey)).approvals
}

test('approvals are listed with their present amounts, the latest first', async () => {
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  expect(await listApprovals(latchkey)).toEqual({ approvals: [], isComplete: true })
  const token = await chain.deploy('LocalToken', ['Local Dollar', 'LUSD', 6, [wallet.address], 1_000_000n])
  await send(wallet, 'LocalToken', token, 'approve', [spender, 250_000n])
  await send(wallet, 'LocalKeys', keys, 'setApprovalForAll', [spender, true])
  const base = { chainId: 'eip155:31337', owner: `eip155:31337:${wallet.address}`, spender }
  expect(await listApprovals(latchkey)).toEqual({
    approvals: [
      { ...base, kind: 'collection', token: keys, name: 'Local Keys' },
      {
        ...base,
        kind: 'token',
        token,
        name: 'Local Dollar',
        symbol: 'LUSD',
        decimals: 6,
        amount: 250_000n,
        isUnlimited: false,
      },
    ],
    isComplete: true,
  })
  await send(wallet, 'LocalToken', token, 'approve', [spender, maxUint256])
  expect((await approvalsOf(latchkey))[0]).toMatchObject({ kind: 'token', amount: maxUint256, isUnlimited: true })
})

test('revoking sets the allowance of a token to 0', async () => {
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  const token = await chain.deploy('LocalToken', ['Local Dollar', 'LUSD', 6, [wallet.address], 1_000_000n])
  await send(wallet, 'LocalToken', token, 'approve', [spender, 5n])
  const [approval] = await approvalsOf(latchkey)
  if (approval === undefined) throw new Error('No approval is listed.')
  const [one, other] = await Promise.all([revokeApproval(latchkey, approval), revokeApproval(latchkey, approval)])
  expect(one.hash).toBe(other.hash)
  expect(pendingTransactions(latchkey).getState()).toMatchObject([{ what: { kind: 'revoke', symbol: 'LUSD' } }])
  expect(await one.outcome).toMatchObject({ status: 'mined' })
  expect(await approvalsOf(latchkey)).toEqual([])
})

test('revoking ends the approval of a collection', async () => {
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  await send(wallet, 'LocalKeys', keys, 'setApprovalForAll', [spender, true])
  const [approval] = await approvalsOf(latchkey)
  if (approval === undefined) throw new Error('No approval is listed.')
  expect(await (await revokeApproval(latchkey, approval)).outcome).toMatchObject({ status: 'mined' })
  expect(await approvalsOf(latchkey)).toEqual([])
})

test('the approval of a single NFT is listed and revoked', async () => {
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  await send(wallet, 'LocalKeys', keys, 'mint', [wallet.address])
  const held = parseAbi(['function totalSupply() view returns (uint256)'])
  const supply = await chain.request('eth_call', { to: keys, data: encodeFunctionData({ abi: held }) }, 'latest')
  const tokenId = BigInt(String(supply))
  await send(wallet, 'LocalKeys', keys, 'approve', [spender, tokenId])
  const [approval] = await approvalsOf(latchkey)
  expect(approval).toMatchObject({ kind: 'nft', tokenId, name: 'Local Keys', spender })
  if (approval === undefined) throw new Error('No approval is listed.')
  expect(await (await revokeApproval(latchkey, approval)).outcome).toMatchObject({ status: 'mined' })
  expect(await approvalsOf(latchkey)).toEqual([])
})

const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600

/** Puts the code of a contract with the allowances of Permit2 at its address. */
async function installPermit2(): Promise<void> {
  const deployed = await chain.deploy('LocalPermit2')
  await chain.request('anvil_setCode', permit2, await chain.request('eth_getCode', deployed, 'latest'))
}

test('allowances inside of Permit2 are listed with their end, and revoked in Permit2', async () => {
  await installPermit2()
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  const [euro, dollar] = [
    await chain.deploy('LocalToken', ['Local Euro', 'LEUR', 2, [wallet.address], 1_000n]),
    await chain.deploy('LocalToken', ['Local Dollar', 'LUSD', 6, [wallet.address], 1_000n]),
  ]
  const end = inAnHour()
  await send(wallet, 'LocalPermit2', permit2, 'approve', [euro, spender, 250n, end])
  await send(wallet, 'LocalPermit2', permit2, 'permitOwn', [dollar, spender, maxUint160, 2 ** 48 - 1])
  const base = { chainId: 'eip155:31337', owner: `eip155:31337:${wallet.address}`, spender, kind: 'permit2' }
  const approvals = await approvalsOf(latchkey)
  const permit = { ...base, token: dollar, symbol: 'LUSD', amount: maxUint160, isUnlimited: true }
  const approval = { ...base, token: euro, name: 'Local Euro', symbol: 'LEUR', decimals: 2, amount: 250n }
  expect(approvals).toMatchObject([permit, { ...approval, isUnlimited: false, expiresAt: end * 1_000 }])
  const [first] = approvals
  if (first === undefined) throw new Error('No approval is listed.')
  expect(await (await revokeApproval(latchkey, first)).outcome).toMatchObject({ status: 'mined' })
  expect(await approvalsOf(latchkey)).toMatchObject([{ symbol: 'LEUR' }])
})

test('allowances inside of Permit2 that ended, were used up, or that another contract reports are not listed', async () => {
  await installPermit2()
  const wallet = await chain.wallet()
  const latchkey = await connectTestWallet(wallet)
  const token = await chain.deploy('LocalToken', ['Local Dollar', 'LUSD', 6, [wallet.address], 1_000n])
  const imitation = await chain.deploy('LocalPermit2')
  await send(wallet, 'LocalPermit2', imitation, 'approve', [token, spender, 250n, inAnHour()])
  await send(wallet, 'LocalPermit2', permit2, 'approve', [token, wallet.address, 250n, 1_000])
  await send(wallet, 'LocalPermit2', permit2, 'approve', [token, token, 0n, inAnHour()])
  expect(await listApprovals(latchkey)).toEqual({ approvals: [], isComplete: true })
})

test('another account can not revoke an approval', async () => {
  const [wallet, stranger] = [await chain.wallet(), await chain.wallet()]
  await send(wallet, 'LocalKeys', keys, 'setApprovalForAll', [spender, true])
  const [approval] = await approvalsOf(await connectTestWallet(wallet))
  if (approval === undefined) throw new Error('No approval is listed.')
  const latchkey = await connectTestWallet(stranger)
  await expect(revokeApproval(latchkey, approval)).rejects.toMatchObject({ code: 'approval/not-revocable' })
  expect(pendingTransactions(latchkey).getState()).toEqual([])
})

test('an unreachable chain rejects instead of reporting no approvals', async () => {
  const latchkey = await connectTestWallet(await chain.wallet())
  chain.proxy.disconnect()
  await expect(listApprovals(latchkey)).rejects.toMatchObject({ code: 'rpc/unreachable' })
})
