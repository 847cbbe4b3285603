import { findNetwork } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import {
  getField,
  getListField,
  getStringField,
  LatchkeyError,
  type ChainId,
  type Network,
  networkError,
} from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { Address, OutScript, p2wpkh, selectUTXO, Transaction } from '@scure/btc-signer'
import { getAddressFormat, parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import { requestEsplora, requestEsploraJson } from '../chain/esplora.ts'
import { parseSatoshis } from '../chain/getBitcoinBalance.ts'
import type { WalletAddress } from './pageWallet.ts'

/** Composes payments for wallets that sign transactions but have no method for a payment. */
export type PaymentComposer = {
  /** @returns a PSBT in base64 that pays, and the number of its inputs. All inputs belong to the payer. */
  compose(
    chainId: ChainId,
    payer: WalletAddress,
    payment: { to: string; value: bigint },
  ): Promise<{ psbt: string; inputs: number }>
  /** Finalizes a signed PSBT and sends it to the network; returns the transaction id. */
  send(chainId: ChainId, psbt: string): Promise<string>
}

type Input = Parameters<typeof selectUTXO>[0][number]

/** The fee is chosen so that a payment is confirmed within this many blocks. */
const targetBlocks = '6'

/** Composes payments from the data of the networks' sources. */
export function createPaymentComposer(networks: readonly Network[], clock: Clock | undefined): PaymentComposer {
  return {
    async compose(chainId, payer, { to, value }) {
      const network = findNetwork(networks, chainId)
      const [inputs, feePerByte] = await Promise.all([listInputs(network, payer, clock), getFeeRate(network, clock)])
      const selection = selectUTXO(inputs, [{ address: parseBitcoinAddress(chainId, to), amount: value }], 'default', {
        feePerByte,
        changeAddress: payer.address,
        network: getAddressFormat(chainId),
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
      const txid = await requestEsplora(findNetwork(networks, chainId), { path: 'tx', body: transaction.hex }, clock)
      return txid ?? transaction.id
    },
  }
}

/** Lists the unspent outputs of the payer, with everything that is needed to sign for them. */
async function listInputs(network: Network, payer: WalletAddress, clock: Clock | undefined): Promise<Input[]> {
  const lock = Address(getAddressFormat(network.caipNetworkId)).decode(payer.address)
  const script = OutScript.encode(lock)
  const outputs = getListField(await requestEsploraJson(network, `address/${payer.address}/utxo`, clock))
  return Promise.all(
    outputs.map(async (output): Promise<Input> => {
      const { txid, index, amount } = parseOutput(output, network)
      const input = { txid: hex.decode(txid), index }
      if (lock.type === 'pkh') {
        const previous = await requestEsplora(network, { path: `tx/${txid}/hex` }, clock)
        return { ...input, nonWitnessUtxo: hex.decode(previous ?? '') }
      }
      return { ...input, witnessUtxo: { script, amount }, ...getSigningKeys(lock.type, payer) }
    }),
  )
}

function parseOutput(output: unknown, network: Network): { txid: string; index: number; amount: bigint } {
  const [txid, index] = [getStringField(output, 'txid'), getField(output, 'vout')]
  const amount = parseSatoshis(getField(output, 'value'))
  if (txid === undefined || typeof index !== 'number' || amount === undefined) {
    throw networkError('rpc/unreachable', { network: network.name })
  }
  return { txid, index, amount }
}

/** The keys that a wallet needs to sign for an output whose script does not contain them. */
function getSigningKeys(type: string, { publicKey }: WalletAddress): Partial<Input> {
  if (publicKey === undefined) return {}
  const key = hex.decode(publicKey)
  if (type === 'tr') return { tapInternalKey: key.slice(-32) }
  return type === 'sh' ? { redeemScript: p2wpkh(key).script } : {}
}

/** Returns satoshis per virtual byte, between 1 and 10,000. */
async function getFeeRate(network: Network, clock: Clock | undefined): Promise<bigint> {
  const fee = getField(await requestEsploraJson(network, 'fee-estimates', clock), targetBlocks)
  return typeof fee === 'number' && fee > 1 && fee < 10_000 ? BigInt(Math.ceil(fee)) : 1n
}
