import { base64urlnopad } from '@scure/base'
import type { PasskeyAsk, PasskeyProof } from '../../worker/keyHolder.ts'

/** What a ceremony ended in. Nothing but `used` leaves a trace in the wallet. */
export type PasskeyOutcome =
  | { readonly kind: 'used'; readonly passkey: UsedPasskey }
  /** Turned away by the visitor, or not answered in time. */
  | { readonly kind: 'cancelled' }
  /** This browser, device or passkey has no PRF, or the page may not ask here. */
  | { readonly kind: 'unable' }

export type UsedPasskey = {
  /** Of the credential, base64url. */
  readonly id: string
  /** 32 bytes of the PRF. */
  readonly output: Uint8Array
  readonly proof: PasskeyProof
  /** SPKI, of one that was made now, with ES256. */
  readonly publicKey?: Uint8Array
}

/** The passkeys of this site. */
export type Passkeys = {
  /** Makes one, and tries it at once: only the output of that trial counts, since not every device gives one while making. */
  create(
    ask: PasskeyAsk & { userName: string; except: readonly string[]; signal: AbortSignal },
  ): Promise<PasskeyOutcome>
  /** @param ask.ids of credentials that may answer; all of this site where it is empty */
  use(ask: PasskeyAsk & { ids: readonly string[]; signal: AbortSignal }): Promise<PasskeyOutcome>
}

export type PasskeyParts = {
  /** The browser's; undefined where it has none. */
  credentials: Pick<CredentialsContainer, 'create' | 'get'> | undefined
  /** The host of this site. */
  rpId: string
  /** Milliseconds that a whole ceremony may take. */
  patience?: number
}

const rpName = 'Latchkey'
const minute = 60_000
/** Algorithms (COSE): the first is what the auth service verifies; some devices have the other one only. */
const [es256, rs256] = [-7, -257]

/**
 * Passkeys with the PRF extension (WebAuthn level 3), bound to this site's own host.
 *
 * @example createPasskeys({ credentials: navigator.credentials, rpId: location.hostname })
 */
export function createPasskeys({ credentials, rpId, patience = minute }: PasskeyParts): Passkeys {
  type Get = PasskeyAsk & { ids: readonly string[]; signal: AbortSignal }

  async function get(container: NonNullable<typeof credentials>, ask: Get): Promise<PasskeyOutcome> {
    const { input, challenge, ids, signal } = ask
    const found = await container.get({
      signal,
      publicKey: {
        rpId,
        challenge: plain(challenge),
        allowCredentials: ids.map(descriptorOf),
        userVerification: 'required',
        timeout: patience,
        extensions: { prf: { eval: { first: plain(input) } } },
      },
    })
    if (!(found instanceof PublicKeyCredential)) return { kind: 'cancelled' }
    const output = outputOf(found)
    if (output === undefined || !(found.response instanceof AuthenticatorAssertionResponse)) return { kind: 'unable' }
    const { authenticatorData, clientDataJSON, signature } = found.response
    const id = base64urlnopad.encode(new Uint8Array(found.rawId))
    const proof = {
      id,
      authenticatorData: new Uint8Array(authenticatorData),
      clientDataJSON: new Uint8Array(clientDataJSON),
      signature: new Uint8Array(signature),
    }
    return { kind: 'used', passkey: { id, output, proof } }
  }

  return {
    use: (ask) =>
      attempt(async () => {
        if (credentials === undefined) return { kind: 'unable' }
        return get(credentials, { ...ask, signal: limited(ask.signal, patience) })
      }),

    create: (ask) =>
      attempt(async () => {
        if (credentials === undefined) return { kind: 'unable' }
        const signal = limited(ask.signal, patience)
        const publicKey = creationOf(ask, { rpId, patience })
        const made = await credentials.create({ signal, publicKey })
        if (!(made instanceof PublicKeyCredential)) return { kind: 'cancelled' }
        const id = base64urlnopad.encode(new Uint8Array(made.rawId))
        const outcome: PasskeyOutcome =
          made.getClientExtensionResults().prf?.enabled === true
            ? await attempt(() => get(credentials, { ...ask, ids: [id], signal }))
            : { kind: 'unable' }
        if (outcome.kind === 'used') return { kind: 'used', passkey: { ...outcome.passkey, publicKey: spkiOf(made) } }
        await forget(rpId, id)
        return outcome
      }),
  }
}

function creationOf(
  { input, challenge, userName, except }: PasskeyAsk & { userName: string; except: readonly string[] },
  { rpId, patience }: { rpId: string; patience: number },
): PublicKeyCredentialCreationOptions {
  return {
    rp: { id: rpId, name: rpName },
    // New each time: with an id that is known, some devices would replace the passkey that they have.
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: userName, displayName: userName },
    challenge: plain(challenge),
    pubKeyCredParams: [es256, rs256].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: except.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: patience,
    extensions: { prf: { eval: { first: plain(input) } } },
  }
}

function outputOf(credential: PublicKeyCredential): Uint8Array | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!(first instanceof ArrayBuffer) || first.byteLength !== 32) return undefined
  return new Uint8Array(first)
}

function spkiOf({ response }: PublicKeyCredential): Uint8Array | undefined {
  if (!(response instanceof AuthenticatorAttestationResponse) || response.getPublicKeyAlgorithm() !== es256)
    return undefined
  const key = response.getPublicKey()
  return key === null ? undefined : new Uint8Array(key)
}

/** The browser tells by the names of its errors what became of a ceremony. */
async function attempt(ceremony: () => Promise<PasskeyOutcome>): Promise<PasskeyOutcome> {
  try {
    return await ceremony()
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    const turnedAway = ['NotAllowedError', 'AbortError', 'TimeoutError', 'InvalidStateError'].includes(name)
    return { kind: turnedAway ? 'cancelled' : 'unable' }
  }
}

/** Lets the device drop a passkey that opens nothing, where the browser can ask it to. */
async function forget(rpId: string, credentialId: string): Promise<void> {
  const signals: { signalUnknownCredential?(unknown: { rpId: string; credentialId: string }): Promise<void> } =
    PublicKeyCredential
  await signals.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

function limited(signal: AbortSignal, patience: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(patience)])
}

function descriptorOf(id: string): PublicKeyCredentialDescriptor {
  return { type: 'public-key', id: plain(base64urlnopad.decode(id)) }
}

/** The platform takes arrays of memory that nobody shares only; the types say so. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
