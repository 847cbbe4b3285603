import type { Transfer } from '@latchkey/core/money'
import { LatchkeyError, parseAccountId, type Network } from '@latchkey/protocol'
import { address as toAddress, type Address, type Instruction } from '@solana/kit'
import { checkedAddress } from '../checkedAddress.ts'
import { readerOf, reading, type Readers } from '../readers.ts'
import { sizeOfHolding } from './extensions.ts'
import { readHoldings, sumOf, type Holding } from './holdings.ts'
import { checkedAmount, moveLamports, moveTokens, openTokenAccount } from './instructions.ts'
import { mintOf, readAccounts, type Mint } from './mint.ts'
import { token2022Program, tokenAccountOf, tokenProgram } from './programs.ts'

/** Units of work, well above what each was measured to come to; hooks of newer tokens run code of their own. */
const unitsOf = { native: 1_500, opening: 60_000, move: 20_000, moveByNewerProgram: 200_000 }

/** What a transfer consists of. */
export type Plan = {
  readonly payer: Address
  readonly instructions: readonly Instruction[]
  /** The most work that it may come to, which is what a price per unit is paid for. */
  readonly units: number
  /** The account that has to be opened for the receiver, by its size. */
  readonly opens?: bigint
}

/**
 * Plans a transfer: which accounts are drawn from, and what has to be opened first. Payments in the native currency are
 * planned without asking anybody.
 *
 * @throws LatchkeyError `amount/invalid`, `address/invalid`, `rpc/unreachable`, `transaction/reverted` when more tokens
 *   are sent than there are.
 */
export async function planTransfer(readers: Readers, network: Network, transfer: Transfer): Promise<Plan> {
  const { to, asset } = transfer
  const payer = toAddress(parseAccountId(transfer.from).address)
  const amount = checkedAmount(transfer.amount)
  const receiver = checkedAddress(to)
  if (asset.address === undefined) {
    return { payer, instructions: [moveLamports(payer, receiver, amount)], units: unitsOf.native }
  }
  const mintAddress = checkedAddress(asset.address)
  const [{ mint, account, isOpen }, holdings] = await Promise.all([
    readReceiver(readers, network, mintAddress, receiver),
    readHoldings(readers, network, payer, mintAddress),
  ])
  const moves = draw(holdings, amount).map((each) => {
    const { program, decimals } = mint
    return moveTokens({ program, decimals, mint: mintAddress, owner: payer, to: account, ...each })
  })
  const isPlain = mint.program === tokenProgram
  const units = moves.length * (isPlain ? unitsOf.move : unitsOf.moveByNewerProgram)
  if (isOpen) return { payer, instructions: moves, units }
  const opening = openTokenAccount({ program: mint.program, mint: mintAddress, payer, owner: receiver, account })
  const opens = sizeOfHolding(isPlain, mint.extensions)
  return { payer, instructions: [opening, ...moves], units: units + unitsOf.opening, opens }
}

/** What opening an account locks, in lamports. */
export async function depositOf(readers: Readers, network: Network, size: bigint): Promise<bigint> {
  return reading(network, readerOf(readers, network).getMinimumBalanceForRentExemption(size).send())
}

/** The token, where the receiver keeps it, and whether he does already: all of it with one question. */
export async function readReceiver(
  readers: Readers,
  network: Network,
  mintAddress: Address,
  receiver: Address,
): Promise<{ mint: Mint; account: Address; isOpen: boolean }> {
  const programs = [tokenProgram, token2022Program]
  const places = await Promise.all(programs.map((program) => tokenAccountOf(receiver, mintAddress, program)))
  const [found, ...accounts] = await readAccounts(readers, network, [mintAddress, ...places])
  const mint = mintOf(found, mintAddress)
  const at = programs.indexOf(mint.program)
  const account = places[at] ?? (await tokenAccountOf(receiver, mintAddress, mint.program))
  return { mint, account, isOpen: accounts[at]?.owner === mint.program }
}

/** Takes an amount from as few accounts as it needs, the fullest first. */
function draw(holdings: readonly Holding[], amount: bigint): readonly { from: Address; amount: bigint }[] {
  if (sumOf(holdings) < amount) {
    throw new LatchkeyError('transaction/reverted', { hash: undefined, reason: 'insufficient funds' })
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
