import { systemClock, type Adapter, type Clock } from '@latchkey/core'
import type { Outcome, SubmittedTransaction, Transfer, Transfers } from '@latchkey/core/money'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import { formatAccountId, type Network, requestError } from '@latchkey/protocol'
import { hex } from '@scure/base'
import { p2pkh, p2tr, p2wpkh, p2wsh, SigHash, Transaction } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinMainnet } from '../chain/bitcoinNetworks.ts'
import { bitcoinRegtest } from '../chain/bitcoinTestnet.ts'
import { regtest, signingConnection, type SigningOptions, type SigningWallet } from '../testing/signingConnection.ts'
import { startEsploraProxy, type EsploraProxy } from '../testing/startEsploraProxy.ts'
import type { PayerKind } from './virtualSize.ts'

const secret = new Uint8Array(32).fill(0x61)
const thief = String(p2wpkh(pubECDSA(new Uint8Array(32).fill(0x62)), regtest).address)
const payee = String(p2wpkh(pubECDSA(new Uint8Array(32).fill(0x63)), regtest).address)
const btc = { symbol: 'BTC', decimals: 8 }

let chain: Bitcoin
let proxy: EsploraProxy
let network: Network
let transfers: Transfers

beforeEach(async () => {
  chain = await startBitcoin({ mining: false })
  proxy = await startEsploraProxy(chain.url)
  network = { ...bitcoinRegtest, rpcUrls: { default: { http: [proxy.url] } } }
  transfers = await transfersOf(network)
})
afterEach(async () => {
  proxy.close()
  await chain.close()
})

function adapterOf(on: Network): Adapter {
  return bitcoin({ networks: [on], page: new EventTarget() })
}

async function transfersOf(on: Network, adapter: Adapter = adapterOf(on)): Promise<Transfers> {
  const made = await adapter.transfers?.()
  if (made === undefined) throw new Error('Nothing can be transferred.')
  return made
}

function walletWith(options: SigningOptions = {}, amounts: readonly bigint[] = [100_000n]): SigningWallet {
  const wallet = signingConnection(network, secret, options)
  for (const amount of amounts) chain.fund(wallet.address, amount)
  return wallet
}

function createTransfer({ account }: SigningWallet, amount: bigint, to = payee): Transfer {
  return { from: account, to, asset: btc, amount }
}

async function send(wallet: SigningWallet, amount = 40_000n, to = payee): Promise<SubmittedTransaction> {
  const transfer = createTransfer(wallet, amount, to)
  const fee = await transfers.estimateFee(network, transfer)
  return transfers.send(wallet.connection, network, transfer, fee)
}

function follow({ account }: SigningWallet, sent: SubmittedTransaction): Promise<Outcome> {
  return transfers.follow(network, account, sent, { timeout: 20_000, once: true })
}

function listPending(): readonly string[] {
  return chain.ledger
    .transactions()
    .filter(({ height }) => height === undefined)
    .map(({ txid }) => txid)
}

/** The amounts that a transaction pays, by address. */
async function outputsOf(hash: string): Promise<Record<string, number>> {
  const response = await fetch(`${chain.url}/tx/${hash}`)
  const { vout } = (await response.json()) as { vout: ReadonlyArray<{ scriptpubkey_address: string; value: number }> }
  return Object.fromEntries(vout.map((output) => [output.scriptpubkey_address, output.value]))
}

describe('a payment that the wallet only signs', () => {
  test.each<PayerKind>(['wpkh', 'sh', 'pkh', 'tr'])(
    'from %s pays exactly the amount and the shown fee, and returns the change',
    async (kind) => {
      const wallet = walletWith({ kind }, [60_000n, 70_000n])
      const transfer = createTransfer(wallet, 100_000n)
      const fee = await transfers.estimateFee(network, transfer)
      const { hash } = await transfers.send(wallet.connection, network, transfer, fee)
      expect(wallet.requests).toEqual(['sendTransfer', 'signPsbt'])
      expect(await outputsOf(hash)).toEqual({ [payee]: 100_000, [wallet.address]: 30_000 - Number(fee.value) })
      expect(await transfers.getPaidFee?.(network, hash)).toBe(fee.value)
    },
  )

  const kinds = {
    P2WSH: String(p2wsh(p2pkh(pubECDSA(secret), regtest), regtest).address),
    P2TR: String(p2tr(pubSchnorr(secret), undefined, regtest).address),
    'upper case': payee.toUpperCase(),
  }
  test.each(Object.entries(kinds))('reaches an address of %s', async (_, to) => {
    const { hash } = await send(walletWith(), 40_000n, to)
    expect(await outputsOf(hash)).toMatchObject({ [to.toLowerCase()]: 40_000 })
  })

  test('signals that it can be replaced (BIP-125)', async () => {
    const { hash } = await send(walletWith())
    expect(chain.ledger.find(hash)?.replaceable).toBe(true)
  })

  test('is pending until a block includes it', async () => {
    const wallet = walletWith()
    const sent = await send(wallet)
    expect(await follow(wallet, sent)).toEqual({ status: 'unknown', hash: sent.hash })
    chain.ledger.mine()
    expect(await follow(wallet, sent)).toMatchObject({ status: 'mined', hash: sent.hash })
    expect(await transfers.getFinality?.(network, sent.hash)).toBe('mined')
    for (let blocks = 0; blocks < 5; blocks += 1) chain.ledger.mine()
    expect(await transfers.getFinality?.(network, sent.hash)).toBe('final')
  })

  test('of the whole balance leaves nothing', async () => {
    const wallet = walletWith({}, [50_000n, 30_000n, 20_000n])
    const fee = await transfers.estimateFee(network, createTransfer(wallet, 100_000n))
    const { hash } = await transfers.send(wallet.connection, network, createTransfer(wallet, 100_000n - fee.value), fee)
    expect(wallet.requests).toEqual(['signPsbt'])
    expect(await outputsOf(hash)).toEqual({ [payee]: 100_000 - Number(fee.value) })
    expect(await transfers.getBalance(network, wallet.address, btc)).toBe(0n)
  })

  test('is refused if its coins changed since the review and it would cost more', async () => {
    const wallet = walletWith({}, [100_000n])
    const transfer = createTransfer(wallet, 80_000n)
    const fee = await transfers.estimateFee(network, transfer)
    // A coin of the same amount in ten parts.
    const parts = Array.from({ length: 10 }, () => 11_000)
    proxy.replace(/utxo/, (body) =>
      JSON.stringify(parts.map((value, vout) => ({ ...(JSON.parse(body) as object[])[0], value, vout }))),
    )
    const sending = transfers.send(wallet.connection, network, transfer, fee)
    await expect(sending).rejects.toMatchObject({
      code: 'request/failed',
      context: { reason: expect.stringMatching(/rose/) },
    })
    expect([listPending(), wallet.requests]).toEqual([[], ['sendTransfer']])
  })

  test('adds change that is not worth an output to the fee', async () => {
    const wallet = walletWith({}, [50_000n])
    const { hash } = await send(wallet, 49_600n)
    expect(await outputsOf(hash)).toEqual({ [payee]: 49_600 })
  })
})

describe('coins that are not spent', () => {
  test('up to 10,000 satoshis may carry inscriptions: they stay, and are shown', async () => {
    const wallet = walletWith({}, [546n, 10_000n, 10_001n, 50_000n])
    const fee = await transfers.estimateFee(network, createTransfer(wallet, 70_547n))
    expect(fee.kept).toEqual({ amount: 10_546n, reason: 'protected-outputs' })
    const amount = 60_001n - fee.value
    const { hash } = await transfers.send(wallet.connection, network, createTransfer(wallet, amount), fee)
    expect(await outputsOf(hash)).toEqual({ [payee]: Number(amount) })
    expect(await transfers.getBalance(network, wallet.address, btc)).toBe(10_546n)
  })

  test('a payment that only they could fund is refused before the wallet is asked to sign', async () => {
    const wallet = walletWith({}, [10_000n, 10_000n])
    await expect(send(wallet, 12_000n)).rejects.toMatchObject({ code: 'request/failed' })
    expect(wallet.requests).toEqual(['sendTransfer'])
  })

  test('unconfirmed payments of others stay, own change is spent', async () => {
    const stranger = signingConnection(network, new Uint8Array(32).fill(0x64))
    chain.fund(stranger.address, 90_000n)
    const wallet = walletWith({}, [100_000n])
    await send(stranger, 50_000n, wallet.address)
    await send(wallet, 20_000n)
    const fee = await transfers.estimateFee(network, createTransfer(wallet, 30_000n))
    expect(fee.kept?.amount).toBe(50_000n)
    const { hash } = await send(wallet, 30_000n)
    expect(chain.ledger.find(hash)?.inputs).toHaveLength(1)
  })

  test('an address for ordinals does not pay', async () => {
    const wallet = walletWith({ kind: 'tr', type: 'ordinals' })
    await expect(send(wallet)).rejects.toMatchObject({ code: 'request/not-allowed' })
    expect(wallet.requests).toEqual([])
  })
})

describe('a hostile wallet', () => {
  /** Copies a transaction, and lets the caller change its outputs. */
  function withOutputs(
    from: Transaction,
    change: (outputs: Array<{ script: Uint8Array; amount: bigint }>) => void,
  ): Transaction {
    const copy = new Transaction()
    for (let at = 0; at < from.inputsLength; at += 1) copy.addInput(from.getInput(at))
    const outputs = Array.from({ length: from.outputsLength }, (_, at) => {
      const { script = new Uint8Array(), amount = 0n } = from.getOutput(at)
      return { script, amount }
    })
    change(outputs)
    for (const output of outputs) copy.addOutput(output)
    return copy
  }

  const stolen = p2wpkh(pubECDSA(new Uint8Array(32).fill(0x62)), regtest).script
  const attacks: Readonly<Record<string, SigningOptions>> = {
    'pays another address': {
      change: (from) => withOutputs(from, (outputs) => void (outputs[0] = { script: stolen, amount: 40_000n })),
    },
    'takes the change': {
      change: (from) =>
        withOutputs(from, (outputs) => void (outputs[1] = { script: stolen, amount: outputs[1]?.amount ?? 0n })),
    },
    'pays more': {
      change: (from) =>
        withOutputs(from, (outputs) => {
          outputs[0] = { script: outputs[0]?.script ?? stolen, amount: 41_000n }
          outputs[1] = { script: outputs[1]?.script ?? stolen, amount: (outputs[1]?.amount ?? 0n) - 1_000n }
        }),
    },
    'gives the change to the miners': { change: (from) => withOutputs(from, (outputs) => void outputs.pop()) },
    'adds an output': {
      change: (from) => withOutputs(from, (outputs) => void outputs.push({ script: stolen, amount: 1_000n })),
    },
    'forbids the replacement': {
      change: (from) => {
        from.updateInput(0, { sequence: 0xffffffff })
        return from
      },
    },
    'signs in a way that leaves the outputs open': {
      sign: (transaction, key) => {
        transaction.updateInput(0, { sighashType: SigHash.NONE })
        transaction.sign(key, [SigHash.NONE])
      },
    },
    'signs nothing': { sign: () => {} },
  }

  test.each(Object.keys(attacks))('that %s is found out, and nothing is sent', async (name) => {
    const wallet = walletWith(attacks[name])
    await expect(send(wallet)).rejects.toMatchObject({ code: 'transaction/changed', context: { wallet: 'Signer' } })
    expect(listPending()).toEqual([])
  })

  test.each([undefined, 7, '', 'cHNidP', 'cHNidP8BAAAA', 'A'.repeat(10_000)])(
    'that returns %j as the signed payment causes no payment',
    async (psbt) => {
      const wallet = walletWith()
      const provider = {
        request: async ({ method }: { method: string }) => {
          if (method === 'signPsbt') return { psbt }
          throw requestError('request/failed', { method, code: 4200, reason: 'no method' })
        },
      }
      const sending = transfers.send({ ...wallet.connection, provider }, network, createTransfer(wallet, 40_000n))
      await expect(sending).rejects.toBeInstanceOf(Error)
      expect(listPending()).toEqual([])
    },
  )
})

describe('a hostile source', () => {
  test('that reports a smaller amount than the chain has cannot raise the fee', async () => {
    const wallet = walletWith({}, [9_000_000n])
    proxy.replace(/GET \/address\/\w+\/utxo/, (body) => body.replace('9000000', '100000'))
    await expect(send(wallet)).rejects.toMatchObject({ code: 'rpc/unreachable' })
    expect(wallet.requests).not.toContain('signPsbt')
  })

  test.each([
    ['{"6":1e300}', 1_000n],
    ['{"6":-5}', 1_000n],
    ['{"6":"7"}', 1_000n],
    ['{"6":0.1}', 1_000n],
    ['{}', 1_000n],
    ['{"6":900000}', 2_000_000n],
    ['{"6":2.1}', 2_100n],
  ])('that reports the rates %s leads to %d satoshis per 1,000 bytes', async (rates, price) => {
    proxy.replace(/fee-estimates/, () => rates)
    expect((await transfers.estimateFee(network, createTransfer(walletWith(), 1_000n))).price).toBe(price)
  })

  test.each(['[{}]', '[{"txid":"../../x","vout":0,"value":50000}]', '[{"txid":1}]', '7'])(
    'that reports the coins %s causes no payment',
    async (coins) => {
      const wallet = walletWith()
      proxy.replace(/utxo/, () => coins)
      await expect(send(wallet)).rejects.toBeInstanceOf(Error)
      expect(listPending()).toEqual([])
    },
  )

  test('that lists a coin twice does not make the payment spend it twice', async () => {
    const wallet = walletWith({}, [50_000n])
    proxy.replace(/utxo/, (body) => `[${body.slice(1, -1)},${body.slice(1, -1)}]`)
    await expect(send(wallet, 60_000n)).rejects.toMatchObject({ code: 'request/failed' })
    expect(Object.keys(await outputsOf((await send(wallet, 40_000n)).hash))).toHaveLength(2)
  })
})

describe('a payment without a clear response', () => {
  test('counts as sent if the node received it and its response was lost', async () => {
    const wallet = walletWith()
    proxy.replace(/POST \/tx/, 'lost')
    const { hash } = await send(wallet)
    expect(listPending()).toEqual([hash])
  })

  test('is unknown, never failed, and sent again without the wallet until a node has it', async () => {
    const wallet = walletWith()
    proxy.replace(/POST \/tx/, 'dropped')
    const adapter = adapterOf(network)
    transfers = await transfersOf(network, adapter)
    const sent = await send(wallet)
    expect(sent.isUnconfirmed).toBe(true)
    // Each caller loads the transfers of the adapter by itself.
    transfers = await transfersOf(network, adapter)
    expect(await follow(wallet, sent)).toEqual({ status: 'unknown', hash: sent.hash })
    expect(listPending()).toEqual([])
    proxy.respondTruthfully()
    expect(await follow(wallet, sent)).toEqual({ status: 'unknown', hash: sent.hash })
    expect(listPending()).toEqual([sent.hash])
    expect(wallet.requests).toEqual(['sendTransfer', 'signPsbt'])
  })

  test('is not marked as unconfirmed if a node has it', async () => {
    expect(await send(walletWith())).not.toHaveProperty('isUnconfirmed')
  })

  test('that the network refuses fails with its reason', async () => {
    const wallet = walletWith()
    const forge = (transaction: Transaction): void => {
      transaction.updateInput(0, { partialSig: [[pubECDSA(secret), hex.decode(`3006020101020101${'01'}`)]] }, true)
    }
    const forging = signingConnection(network, secret, { sign: forge })
    expect(forging.address).toBe(wallet.address)
    await expect(send(forging)).rejects.toMatchObject({ code: 'rpc/failed' })
    expect(listPending()).toEqual([])
  })

  test('of a wallet that sends itself is found on the chain', async () => {
    const silent = async (): Promise<never> => {
      await send(walletWith({}, []), 40_000n)
      throw requestError('request/unknown', { method: 'sendTransfer' })
    }
    const wallet = walletWith({ sendTransfer: silent })
    const { hash, spends } = await send(wallet)
    expect(listPending()).toEqual([hash])
    expect(spends).toMatch(/^[0-9a-f]{64}:0$/)
  })

  test('that was made before is not taken for it', async () => {
    // The search for the payment takes eight seconds of this clock.
    const clock: Clock = { ...systemClock, after: (delay, act) => systemClock.after(delay / 20, act) }
    const made = await bitcoin({ networks: [network], page: new EventTarget(), clock }).transfers?.()
    await send(walletWith(), 40_000n)
    const lost = async (): Promise<never> => {
      throw requestError('request/unknown', { method: 'sendTransfer' })
    }
    const wallet = walletWith({ sendTransfer: lost }, [])
    const sending = made?.send(wallet.connection, network, createTransfer(wallet, 40_000n))
    await expect(sending).rejects.toMatchObject({ code: 'request/unknown' })
  })

  test('is replaced by the same payment at another price, or by another transaction', async () => {
    const wallet = walletWith()
    const sent = await send(wallet)
    const [txid = ''] = (sent.spends ?? '').split(':')
    const replace = (to: string, amount: bigint): string => {
      const transaction = new Transaction()
      const witnessUtxo = { script: p2wpkh(pubECDSA(secret), regtest).script, amount: 100_000n }
      transaction.addInput({ txid, index: 0, sequence: 0xfffffffd, witnessUtxo })
      transaction.addOutputAddress(to, amount, regtest)
      transaction.sign(secret)
      transaction.finalize()
      return chain.ledger.accept(transaction.toBytes(true, true)).txid
    }
    replace(thief, 95_000n)
    expect(await follow(wallet, sent)).toEqual({ status: 'unknown', hash: sent.hash })
    const by = replace(payee, 40_000n)
    chain.ledger.mine()
    expect(await follow(wallet, sent)).toEqual({ status: 'replaced', hash: sent.hash, by, how: 'repriced' })
    const { content: _content, ...other } = sent
    expect(await follow(wallet, other)).toMatchObject({ status: 'replaced', by, how: 'other' })
  })

  test('reveals the output that it spends while it is pending', async () => {
    const wallet = walletWith()
    const { hash, spends } = await send(wallet)
    const found: SubmittedTransaction[] = []
    const onFound = (sent: SubmittedTransaction): void => void found.push(sent)
    await transfers.follow(network, wallet.account, { hash }, { timeout: 20_000, once: true, onFound })
    expect(found).toEqual([{ hash, spends }])
  })
})

describe('a receiver', () => {
  test.each([
    ['bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', 'invalid'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mainnet-address'],
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'mainnet-address'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'mainnet-address'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'testnet-address'],
    // Bech32 with the version of Taproot, which needs Bech32m (BIP-350).
    ['bcrt1pw508d6qejxtdg4y5r3zarvary0c5xw7k', 'invalid'],
    ['alice.btc', 'invalid'],
  ])('%s on the local chain is %s', async (to, note) => {
    const wallet = walletWith()
    const { account: from } = wallet
    expect(await transfers.inspectReceiver(network, { from, to, asset: btc })).toEqual([note])
    await expect(transfers.send(wallet.connection, network, createTransfer(wallet, 1_000n, to))).rejects.toMatchObject({
      code: 'address/invalid',
    })
    expect(wallet.requests).toEqual([])
  })

  test('of a test network is reported on the main network', async () => {
    const on = await transfersOf(bitcoinMainnet)
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    const from = formatAccountId({ chainId: bitcoinMainnet.caipNetworkId, address })
    for (const to of [payee, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn']) {
      expect(await on.inspectReceiver(bitcoinMainnet, { from, to, asset: btc })).toEqual(['testnet-address'])
    }
  })
})
