import { createTestClient, http, parseAbi, publicActions, walletActions, zeroHash, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses } from '../accounts.ts'
import { startAnvil, type Anvil } from '../evm/anvil.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'
import { deploySmartAccounts } from './deploySmartAccounts.ts'

const abi = parseAbi([
  'function createAccount(address signer, uint256 salt) returns (address)',
  'function getAddress(address signer, uint256 salt) view returns (address)',
  'function implementation() view returns (address)',
  'function initialize(address signer)',
  'function setSigner(address signer)',
  'function signer() view returns (address)',
  'function execute(bytes32 mode, bytes executionData)',
  'function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) operation, bytes32 hash, uint256 missing)',
])
const [owner, stranger] = addresses

let anvil: Anvil
let factory: Hex
let account: Hex
const createNodeClient = () =>
  createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
const signerOf = (address: Hex) => createNodeClient().readContract({ address, abi, functionName: 'signer' })

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  ;({ factory } = await deploySmartAccounts(anvil.rpcUrl))
  account = await createNodeClient().readContract({
    address: factory,
    abi,
    functionName: 'getAddress',
    args: [owner, 0n],
  })
  for (const functionName of ['createAccount', 'createAccount'] as const) {
    // The second call finds the deployed contracts.
    const write = { chain: null, account: stranger, address: factory, abi, functionName, args: [owner, 0n] } as const
    await waitUntilMined(createNodeClient(), await createNodeClient().writeContract(write))
  }
})
afterAll(() => anvil.close())

test('an account belongs to its owner, regardless of its creator', async () => {
  expect(await signerOf(account)).toBe(owner)
  const other = await createNodeClient().readContract({
    address: factory,
    abi,
    functionName: 'getAddress',
    args: [stranger, 0n],
  })
  expect(other).not.toBe(account)
})

test('only the entry point and the account itself can execute calls, not even the owner directly', async () => {
  const mode: Hex = `0x01${'00'.repeat(31)}`
  for (const from of [owner, stranger]) {
    const call = { account: from, address: account, abi } as const
    await expect(
      createNodeClient().simulateContract({ ...call, functionName: 'execute', args: [mode, '0x'] }),
    ).rejects.toThrow('reverted')
    await expect(
      createNodeClient().simulateContract({ ...call, functionName: 'setSigner', args: [stranger] }),
    ).rejects.toThrow('reverted')
    await expect(
      createNodeClient().simulateContract({ ...call, functionName: 'initialize', args: [stranger] }),
    ).rejects.toThrow('reverted')
    const operation = {
      sender: account,
      nonce: 0n,
      initCode: '0x',
      callData: '0x',
      accountGasLimits: zeroHash,
      preVerificationGas: 0n,
      gasFees: zeroHash,
      paymasterAndData: '0x',
      signature: '0x',
    } as const
    const args = [operation, zeroHash, 1n] as const
    await expect(
      createNodeClient().simulateContract({ ...call, functionName: 'validateUserOp', args }),
    ).rejects.toThrow('reverted')
  }
})

test('the implementation contract can never be initialized', async () => {
  const address = await createNodeClient().readContract({ address: factory, abi, functionName: 'implementation' })
  expect(await signerOf(address)).toBe('0x0000000000000000000000000000000000000000')
  const call = { account: stranger, address, abi, functionName: 'initialize', args: [stranger] } as const
  await expect(createNodeClient().simulateContract(call)).rejects.toThrow('reverted')
})

test('an account can change its owner, but not to the zero address', async () => {
  await createNodeClient().impersonateAccount({ address: account })
  await createNodeClient().setBalance({ address: account, value: 10n ** 18n })
  const call = { account, address: account, abi, functionName: 'setSigner' } as const
  await expect(
    createNodeClient().simulateContract({ ...call, args: ['0x0000000000000000000000000000000000000000'] }),
  ).rejects.toThrow('no signer')
  await waitUntilMined(
    createNodeClient(),
    await createNodeClient().writeContract({ chain: null, ...call, args: [stranger] }),
  )
  expect(await signerOf(account)).toBe(stranger)
})
