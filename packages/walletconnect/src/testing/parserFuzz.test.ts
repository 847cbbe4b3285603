import { parseAmount } from '@latchkey/core'
import { openCoverage, runFuzz } from '@latchkey/faults'
import { isLatchkeyError, parseAccountId, parseAssetId, parseChainId } from '@latchkey/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { parsePayload } from '../channel/payload.ts'
import { openEnvelope, parseEnvelope, sealEnvelope } from '../crypto/envelope.ts'
import { parsePlainEnvelope } from '../crypto/plainEnvelope.ts'
import { findPairingUri } from '../session/findPairingUri.ts'
import { createPairing, formatPairingUri, parsePairingUri } from '../session/pairing.ts'
import { tryParseJson } from '../primitives/unknownRecord.ts'

const rounds = Number(process.env['LATCHKEY_FUZZ_ROUNDS'] ?? 500)
const key = new Uint8Array(32).fill(7)
const now = 1_800_000_000_000

/** The kind of a result: its shape, or the code of the error. Other errors are defects. */
function kindOf(parse: () => unknown): string {
  try {
    const value = parse()
    return value === undefined ? 'undefined' : `${typeof value} ${Object.keys(Object(value)).toSorted().join()}`
  } catch (error) {
    if (!isLatchkeyError(error)) throw error
    return `${error.code} ${JSON.stringify(Object.keys(error.context))}`
  }
}

const targets: ReadonlyArray<{ name: string; starts: readonly string[]; parse(input: string): unknown }> = [
  { name: 'chain ids', starts: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], parse: parseChainId },
  {
    name: 'account ids',
    starts: ['eip155:1:0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
    parse: parseAccountId,
  },
  {
    name: 'asset ids',
    starts: ['eip155:1/slip44:60', 'eip155:1/erc20:0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
    parse: parseAssetId,
  },
  { name: 'amounts', starts: ['1.5', '-0.000001', '1000000'], parse: (input) => parseAmount(input, 18) },
  {
    name: 'pairing URIs',
    starts: [formatPairingUri(createPairing(now)), `https://wallet.example/wc?uri=${encodeURIComponent('wc:ab@2')}`],
    parse: (input) => parsePairingUri(findPairingUri(input), now),
  },
  {
    name: 'envelopes',
    starts: [sealEnvelope('{"id":1,"result":true}', key), sealEnvelope('{}', key, key)],
    parse(input) {
      const envelope = parseEnvelope(input)
      return envelope && parsePayload(tryParseJson(openEnvelope(envelope, key) ?? ''))
    },
  },
  {
    name: 'plain envelopes',
    starts: ['AgECAw', 'AntpZDoxfQ'],
    parse: (input) => parsePayload(parsePlainEnvelope(input)),
  },
  {
    name: 'payloads',
    starts: ['{"id":1,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}', '{"id":1,"error":{"code":5000}}'],
    parse: (input) => parsePayload(tryParseJson(input)),
  },
]

// Reading the coverage takes milliseconds per input.
const options = { tags: 'abuse', timeout: 600_000 } as const

test.each(targets)('$name: no text makes the parser throw an unexpected error', options, async (target) => {
  const coverage = openCoverage((url) => /\/packages\/(?:core|protocol|walletconnect)\/src\//.test(url))
  onTestFinished(() => coverage.close())
  let covered = 0
  const run = (input: string): readonly string[] => {
    coverage.takeBlocks()
    const kind = kindOf(() => target.parse(input))
    const blocks = coverage.takeBlocks()
    covered += blocks.length
    return [kind, ...blocks]
  }
  await runFuzz({ name: target.name, starts: target.starts, run }, { rounds })
  // Otherwise the files were not found, and nothing guides the changes.
  expect(covered).toBeGreaterThan(0)
})
