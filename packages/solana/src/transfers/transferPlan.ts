import type { Transfer } from '@latchkey/core/money'
import { inputError, parseAccountId, type Network, transactionError } from '@latchkey/protocol'
import { address as toAddress, type Address, type Instruction } from '@solana/kit'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from '../chain/solanaClients.ts'
import { findTransferBlock, getTokenAccountSize, getTransferFee, hasTransferFee } from './extensions.ts'
import { getHoldings, sumHoldings, type Holding } from './holdings.ts'
import { assertTransferableAmount, transferLamports, transferTokens, createTokenAccount } from './transferTokens.ts'
import { isTokenAccount, parseMint, getAccounts, type Mint } from './mint.ts'
import { token2022Program, getTokenAccount, tokenProgram } from './programs.ts'

/** Compute units, well above the measured use. Transfer hooks of Token-2022 run additional code. */
const computeUnits = { lamports: 1_500, createAccount: 60_000, token: 20_000, token2022: 200_000 }

/** The instructions of a transfer. */
export type TransferPlan = {
  readonly payer: Address
  readonly instructions: readonly Instruction[]
  /** The limit of compute units. The priority fee is paid for all of them. */
  readonly units: number
  /** The size in bytes of the token account that has to be created for the receiver. */
  readonly opens?: bigint
  /** The fee that the token withholds from the amount, in its base units. */
  readonly withheld?: bigint
}

/**
 * Plans a transfer: the token accounts that it draws from, and the account that it has to create. A payment in SOL needs
 * no request.
 *
 * @throws LatchkeyError `amount/invalid`, `address/invalid`, `rpc/unreachable`, `transaction/reverted` if the balance is
 *   too low or the token can't be sent
 */
export async function planSolanaTransfer(
  clients: SolanaClients,
  network: Network,
  transfer: Transfer,
): Promise<TransferPlan> {
  const { to, asset } = transfer
  const payer = toAddress(parseAccountId(transfer.from).address)
  const amount = assertTransferableAmount(transfer.amount)
  const receiver = parseSolanaAddress(to)
  if (asset.address === undefined) {
    return { payer, instructions: [transferLamports(payer, receiver, amount)], units: computeUnits.lamports }
  }
  const mintAddress = parseSolanaAddress(asset.address)
  const [{ mint, account, isOpen }, holdings] = await Promise.all([
    getReceiverAccount(clients, network, mintAddress, receiver),
    getHoldings(clients, network, payer, mintAddress),
  ])
  const block = findTransferBlock(mint.extensions)
  if (block !== undefined)
    throw transactionError('transaction/reverted', { hash: undefined, reason: blockReasons[block] })
  const drawn = drawFromHoldings(holdings, amount)
  const withheld = await sumTransferFees(clients, network, mint, drawn)
  const moves = drawn.map((each) => {
    const { program, decimals } = mint
    return transferTokens({ program, decimals, mint: mintAddress, owner: payer, to: account, ...each })
  })
  const isPlain = mint.program === tokenProgram
  const units = moves.length * (isPlain ? computeUnits.token : computeUnits.token2022)
  if (isOpen) return { payer, instructions: moves, units, withheld }
  const opening = createTokenAccount({ program: mint.program, mint: mintAddress, payer, owner: receiver, account })
  const opens = getTokenAccountSize(isPlain, mint.extensions)
  return { payer, instructions: [opening, ...moves], units: units + computeUnits.createAccount, opens, withheld }
}

const blockReasons = {
  'non-transferable': 'this token cannot be transferred',
  'transfer-hook': 'this token runs code of its issuer during a transfer, which is not supported',
} as const

/** Returns the fees that the token withholds, or `undefined` if it has none. Each account that is drawn from pays its own. */
async function sumTransferFees(
  clients: SolanaClients,
  network: Network,
  { extensions }: Mint,
  drawn: readonly { amount: bigint }[],
): Promise<bigint | undefined> {
  if (!hasTransferFee(extensions)) return undefined
  const request = getSolanaClient(clients, network).getEpochInfo({ commitment: 'confirmed' })
  const { epoch } = await wrapUnreachable(network, request.send())
  return drawn.reduce((sum, { amount }) => sum + getTransferFee(extensions, epoch, amount), 0n)
}

/** Returns the rent deposit of a new account of this size, in lamports. */
export async function getAccountRent(clients: SolanaClients, network: Network, size: bigint): Promise<bigint> {
  return wrapUnreachable(network, getSolanaClient(clients, network).getMinimumBalanceForRentExemption(size).send())
}

/**
 * Reads a mint and the receiver's account for it with one request.
 *
 * @throws LatchkeyError `address/invalid` if there is no such token, or the receiver is itself a token account
 */
export async function getReceiverAccount(
  clients: SolanaClients,
  network: Network,
  mintAddress: Address,
  receiver: Address,
): Promise<{ mint: Mint; account: Address; isOpen: boolean }> {
  const programs = [tokenProgram, token2022Program]
  const candidates = await Promise.all(programs.map((program) => getTokenAccount(receiver, mintAddress, program)))
  const [found, wallet, ...accounts] = await getAccounts(clients, network, [mintAddress, receiver, ...candidates])
  const mint = parseMint(found, mintAddress)
  if (isTokenAccount(wallet)) throw inputError('address/invalid', { namespace: 'solana', value: receiver })
  const at = programs.indexOf(mint.program)
  const account = candidates[at] ?? (await getTokenAccount(receiver, mintAddress, mint.program))
  return { mint, account, isOpen: accounts[at]?.owner === mint.program }
}

/** Draws an amount from as few accounts as possible. Holdings are sorted, the fullest first. */
function drawFromHoldings(holdings: readonly Holding[], amount: bigint): readonly { from: Address; amount: bigint }[] {
  if (sumHoldings(holdings) < amount) {
    throw transactionError('transaction/reverted', { hash: undefined, reason: 'insufficient funds' })
  }
  let missing = amount
  const drawn: { from: Address; amount: bigint }[] = []
  for (const { address, amount: held } of holdings) {
    if (missing === 0n) break
    const taken = held < missing ? held : missing
    drawn.push({ from: address, amount: taken })
    missing -= taken
  }
  return drawn
}
