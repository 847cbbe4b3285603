import { LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import type { Clock } from '@latchkey/core'
import { base64, hex } from '@scure/base'
import { Address, OutScript, p2wpkh, selectUTXO, Transaction } from '@scure/btc-signer'
import { checkedAddress, writingOf } from './checkedAddress.ts'
import { askSource, fieldOf, readSource } from './esplora.ts'
import { satoshis } from './getBalance.ts'
import { listOf, textOf, type WalletAddress } from './pageWallet.ts'

/** Pays for wallets that sign transactions, and have no word for a payment. */
export type ComposeTransfer = {
  /** A PSBT in base64 that pays, and how many inputs it has, all of them of the payer. */
  transfer(
    chainId: ChainId,
    payer: WalletAddress,
    payment: { to: string; value: bigint },
  ): Promise<{ psbt: string; inputs: number }>
  /** Finishes a signed PSBT and hands it to the network; the transaction's id. */
  send(chainId: ChainId, psbt: string): Promise<string>
}

type Input = Parameters<typeof selectUTXO>[0][number]

/** Blocks that a payment may take, for the fee. */
const targetBlocks = '6'

/** Composes payments out of what the sources of the app's networks tell. */
export function composeTransfer(networks: readonly Network[], clock: Clock | undefined): ComposeTransfer {
  function networkOf(chainId: ChainId): Network {
    const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
    if (network === undefined) throw new LatchkeyError('network/not-found', { chainId })
    return network
  }

  return {
    async transfer(chainId, payer, { to, value }) {
      const network = networkOf(chainId)
      const [inputs, feePerByte] = await Promise.all([readInputs(network, payer, clock), readFee(network, clock)])
      const selection = selectUTXO(inputs, [{ address: checkedAddress(chainId, to), amount: value }], 'default', {
        feePerByte,
        changeAddress: payer.address,
        network: writingOf(chainId),
        createTx: true,
      })
      if (selection?.tx === undefined) {
        const reason = 'the address holds less than the payment and its fee'
        throw new LatchkeyError('request/failed', { method: 'sendTransfer', code: -32_000, reason })
      }
      return { psbt: base64.encode(selection.tx.toPSBT()), inputs: selection.tx.inputsLength }
    },
    async send(chainId, psbt) {
      const transaction = Transaction.fromPSBT(base64.decode(psbt))
      if (!transaction.isFinal) transaction.finalize()
      const txid = await askSource(networkOf(chainId), { path: 'tx', body: transaction.hex }, clock)
      return txid ?? transaction.id
    },
  }
}

/** What the payer can spend, with all that is needed to sign for it. */
async function readInputs(network: Network, payer: WalletAddress, clock: Clock | undefined): Promise<Input[]> {
  const lock = Address(writingOf(network.caipNetworkId)).decode(payer.address)
  const script = OutScript.encode(lock)
  const unspent = listOf(await readSource(network, `address/${payer.address}/utxo`, clock))
  return Promise.all(
    unspent.map(async (output): Promise<Input> => {
      const [txid, index, amount] = [
        textOf(fieldOf(output, 'txid')),
        fieldOf(output, 'vout'),
        satoshis(fieldOf(output, 'value')),
      ]
      if (txid === undefined || typeof index !== 'number' || amount === undefined) {
        throw new LatchkeyError('rpc/unreachable', { network: network.name })
      }
      const input = { txid: hex.decode(txid), index }
      if (lock.type === 'pkh') {
        const before = await askSource(network, { path: `tx/${txid}/hex` }, clock)
        return { ...input, nonWitnessUtxo: hex.decode(before ?? '') }
      }
      return { ...input, witnessUtxo: { script, amount }, ...keysOf(lock.type, payer) }
    }),
  )
}

/** What a wallet needs to know to sign for an output whose script does not tell it. */
function keysOf(type: string, { publicKey }: WalletAddress): Partial<Input> {
  if (publicKey === undefined) return {}
  const key = hex.decode(publicKey)
  if (type === 'tr') return { tapInternalKey: key.slice(-32) }
  return type === 'sh' ? { redeemScript: p2wpkh(key).script } : {}
}

async function readFee(network: Network, clock: Clock | undefined): Promise<bigint> {
  const fee = fieldOf(await readSource(network, 'fee-estimates', clock), targetBlocks)
  return typeof fee === 'number' && fee > 1 && fee < 10_000 ? BigInt(Math.ceil(fee)) : 1n
}
