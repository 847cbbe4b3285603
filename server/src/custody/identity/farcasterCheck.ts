import { createPublicClient, encodeAbiParameters, http, isHex, type Hex } from 'viem'
import { verifyMessage } from 'viem/utils'
import type { Clock } from '../../kit/runtime/clock.ts'
import { Problem } from '../../kit/http/problem.ts'

/** A message that a Farcaster account signed, and the nonce that it must contain. */
export type FarcasterProof = { readonly message: string; readonly signature: string; readonly nonce: string }

/**
 * Verifies a signed message (Sign In With Farcaster, FIP-11): the message must belong to this login, and the registries on the
 * chain must list the signer for the account.
 *
 * @returns the id of the account
 * @throws Problem 401 `identity` if the proof is invalid; 503 `chain` if the chain cannot be reached
 */
export type FarcasterCheck = (proof: FarcasterProof) => Promise<{ fid: bigint }>

export type FarcasterCheckOptions = {
  /** A node of the chain with Farcaster's registries. */
  rpcUrl: string
  /** The URL of the frame's site, which messages must name. */
  frameUrl(): string
  clock: Clock
  /** Timeout of all chain requests together, in milliseconds. Default: 5 s. */
  timeoutMs?: number
}

/** Maps custody addresses to accounts. */
const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
/** Lists further addresses that may log in to an account. */
const keyRegistry = '0x00000000fc1237824fb747abde0ff18990e59b7e'

const lifetimeMs = 10 * 60_000
const toleranceMs = 60_000
const added = 1
const authKey = 2

const abi = [
  {
    type: 'function',
    name: 'idOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ name: 'fid', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'keyDataOf',
    stateMutability: 'view',
    inputs: [
      { name: 'fid', type: 'uint256' },
      { name: 'key', type: 'bytes' },
    ],
    outputs: [
      {
        name: 'data',
        type: 'tuple',
        components: [
          { name: 'state', type: 'uint8' },
          { name: 'keyType', type: 'uint32' },
        ],
      },
    ],
  },
] as const

/**
 * Creates the check of Farcaster logins.
 *
 * @example
 * const check = createFarcasterCheck({ rpcUrl: 'https://mainnet.optimism.io', frameUrl: () => frameUrl, clock })
 * const { fid } = await check({ message, signature, nonce })
 */
export function createFarcasterCheck({
  rpcUrl,
  frameUrl,
  clock,
  timeoutMs = 5_000,
}: FarcasterCheckOptions): FarcasterCheck {
  const chain = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 0 }) })

  async function isListedFor(address: Hex, fid: bigint): Promise<boolean> {
    const owned = await chain.readContract({ abi, address: idRegistry, functionName: 'idOf', args: [address] })
    if (owned === fid) return true
    const key = encodeAbiParameters([{ type: 'address' }], [address])
    const args = [fid, key] as const
    const { state, keyType } = await chain.readContract({ abi, address: keyRegistry, functionName: 'keyDataOf', args })
    return state === added && keyType === authKey
  }

  async function isSignatureValid(address: Hex, message: string, signature: Hex): Promise<boolean> {
    // A key account is verified locally, so the node cannot falsify the result. Contract accounts need the chain (ERC-1271).
    const isUnencrypted = await verifyMessage({ address, message, signature }).catch(() => false)
    return isUnencrypted || chain.verifyMessage({ address, message, signature })
  }

  return async ({ message, signature, nonce }) => {
    const parsed = parseSignInMessage(message, { frame: new URL(frameUrl()), nonce, now: clock.now() })
    if (parsed === undefined || !isHex(signature)) throw invalidFarcasterProof()
    const { address, fid } = parsed
    const results = Promise.all([isSignatureValid(address, message, signature), isListedFor(address, fid)])
    const [signed, acts] = await withTimeout(results, timeoutMs).catch((cause: unknown) => {
      throw new Problem(503, 'chain', 'Farcaster’s chain can’t be reached. Try again in a moment.', {
        cause,
      })
    })
    if (!signed || !acts) throw invalidFarcasterProof()
    return { fid }
  }
}

type ExpectedMessage = { frame: URL; nonce: string; now: number }

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`
/** The only accepted form of the message (EIP-4361), so that two parsers cannot read it differently. */
const form = new RegExp(
  [
    String.raw`^(?<domain>[^\s/]+) wants you to sign in with your Ethereum account:`,
    String.raw`(?<address>0x[0-9a-fA-F]{40})`,
    '',
    'Farcaster Auth',
    '',
    String.raw`URI: (?<uri>\S+)`,
    'Version: 1',
    // Farcaster messages always name chain 10, whichever node is used.
    'Chain ID: 10',
    String.raw`Nonce: (?<nonce>[a-zA-Z0-9]{8,128})`,
    `Issued At: (?<issued>${time})(?:\nExpiration Time: (?<expires>${time}))?(?:\nNot Before: (?<begins>${time}))?`,
  ].join('\n') + String.raw`(?:\nRequest ID: [^\n]*)?\nResources:\n- farcaster://fid/(?<fid>[1-9]\d{0,18})$`,
)

/** Parses a message. Returns `undefined` if it does not belong to this login. */
function parseSignInMessage(message: string, expected: ExpectedMessage): { address: Hex; fid: bigint } | undefined {
  const { domain, address, uri = '', nonce, issued = '', expires, begins, fid } = form.exec(message)?.groups ?? {}
  if (!isHex(address) || fid === undefined) return undefined
  const isForUs = domain === expected.frame.host && nonce === expected.nonce && originOf(uri) === expected.frame.origin
  const age = expected.now - Date.parse(issued)
  const isFresh = age <= lifetimeMs && age >= -toleranceMs
  const isDue = expires === undefined || Date.parse(expires) > expected.now
  const isOpen = begins === undefined || Date.parse(begins) <= expected.now + toleranceMs
  return isForUs && isFresh && isDue && isOpen ? { address, fid: BigInt(fid) } : undefined
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined
}

/** Limits the time of all requests together. */
async function withTimeout<result>(pending: Promise<result>, timeoutMs: number): Promise<result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The chain is not available.')), timeoutMs)
  })
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

function invalidFarcasterProof(): Problem {
  return new Problem(401, 'identity', 'This Farcaster login can’t be verified. Log in again.')
}
