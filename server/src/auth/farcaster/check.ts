import { createPublicClient, encodeAbiParameters, http, isHex, type Hex } from 'viem'
import { verifyMessage } from 'viem/utils'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'

/** What a Farcaster account signed, and the nonce that was made for it. */
export type FarcasterProof = { readonly message: string; readonly signature: string; readonly nonce: string }

/**
 * Checks what a Farcaster account signed (Sign In With Farcaster, FIP-11): that the message is this very login's, and that the
 * chain says that the signer acts for the account.
 *
 * @returns the number of the account
 * @throws Problem 401 `identity` when it is not so, 503 `chain` when the chain does not answer
 */
export type FarcasterCheck = (proof: FarcasterProof) => Promise<{ fid: bigint }>

export type FarcasterCheckParts = {
  /** A node of the chain that Farcaster's registries are on. */
  rpcUrl: string
  /** Whom messages are for: host, and port where there is one. */
  domain(): string
  clock: Clock
  /** How long the chain is waited for, in milliseconds. */
  patience?: number
}

/** Which account an address is the custody address of. */
const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
/** Which addresses may log an account in besides. */
const keyRegistry = '0x00000000fc1237824fb747abde0ff18990e59b7e'

const lifetime = 10 * 60_000
const tolerance = 60_000
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
 * @example
 * const check = createFarcasterCheck({ rpcUrl: 'https://mainnet.optimism.io', domain: () => 'login.example.org', clock })
 * const { fid } = await check({ message, signature, nonce })
 */
export function createFarcasterCheck({ rpcUrl, domain, clock, patience = 5_000 }: FarcasterCheckParts): FarcasterCheck {
  const chain = createPublicClient({ transport: http(rpcUrl, { timeout: patience, retryCount: 0 }) })

  async function actsFor(address: Hex, fid: bigint): Promise<boolean> {
    const owned = await chain.readContract({ abi, address: idRegistry, functionName: 'idOf', args: [address] })
    if (owned === fid) return true
    const key = encodeAbiParameters([{ type: 'address' }], [address])
    const args = [fid, key] as const
    const { state, keyType } = await chain.readContract({ abi, address: keyRegistry, functionName: 'keyDataOf', args })
    return state === added && keyType === authKey
  }

  async function isSigned(address: Hex, message: string, signature: Hex): Promise<boolean> {
    // A plain key first: no node has a say in that.
    const isPlain = await verifyMessage({ address, message, signature }).catch(() => false)
    return isPlain || chain.verifyMessage({ address, message, signature })
  }

  return async ({ message, signature, nonce }) => {
    const said = readMessage(message, { domain: domain(), nonce, now: clock.now() })
    if (said === undefined || !isHex(signature)) throw refused()
    const { address, fid } = said
    const answers = Promise.all([isSigned(address, message, signature), actsFor(address, fid)])
    const [signed, acts] = await within(answers, patience).catch((cause: unknown) => {
      throw new Problem(503, 'chain', 'The chain that Farcaster is on does not answer. Try again in a moment.', {
        cause,
      })
    })
    if (!signed || !acts) throw refused()
    return { fid }
  }
}

type Wanted = { domain: string; nonce: string; now: number }

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`
/** The whole message (EIP-4361), in the one form that it may have: two readers of it cannot see two. */
const form = new RegExp(
  [
    String.raw`^(?<domain>[^\s/]+) wants you to sign in with your Ethereum account:`,
    String.raw`(?<address>0x[0-9a-fA-F]{40})`,
    '',
    'Farcaster Auth',
    '',
    String.raw`URI: (?<uri>\S+)`,
    'Version: 1',
    // Farcaster says this for its chain, whichever it is asked through.
    'Chain ID: 10',
    String.raw`Nonce: (?<nonce>[a-zA-Z0-9]{8,128})`,
    `Issued At: (?<issued>${time})(?:\nExpiration Time: (?<expires>${time}))?(?:\nNot Before: (?<begins>${time}))?`,
  ].join('\n') + String.raw`(?:\nRequest ID: [^\n]*)?\nResources:\n- farcaster://fid/(?<fid>[1-9]\d{0,18})$`,
)

/** Reads the message as far as it is this login's; undefined for every other. */
function readMessage(message: string, wanted: Wanted): { address: Hex; fid: bigint } | undefined {
  const { domain, address, uri = '', nonce, issued = '', expires, begins, fid } = form.exec(message)?.groups ?? {}
  if (!isHex(address) || fid === undefined) return undefined
  const isForUs = domain === wanted.domain && nonce === wanted.nonce && hostOf(uri) === wanted.domain
  const age = wanted.now - Date.parse(issued)
  const isFresh = age <= lifetime && age >= -tolerance
  const isDue = expires === undefined || Date.parse(expires) > wanted.now
  const isOpen = begins === undefined || Date.parse(begins) <= wanted.now + tolerance
  return isForUs && isFresh && isDue && isOpen ? { address, fid: BigInt(fid) } : undefined
}

function hostOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).host : undefined
}

/** All questions together get no more time than one. */
async function within<found>(asking: Promise<found>, patience: number): Promise<found> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The chain does not answer in time.')), patience)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}

function refused(): Problem {
  return new Problem(401, 'identity', 'This does not prove whose Farcaster account it is. Log in again.')
}
