import { base64urlnopad } from '@scure/base'
import type { PasskeyRequest, PasskeyProof } from '../../worker/keyHolder.ts'

/** The result of a ceremony. Only `used` changes the wallet. */
export type PasskeyOutcome =
  | { readonly kind: 'used'; readonly passkey: UsedPasskey }
  /** The user cancelled, or the time expired. */
  | { readonly kind: 'cancelled' }
  /** The browser, device or passkey lacks PRF, or the page may not ask here. */
  | { readonly kind: 'unable' }

export type UsedPasskey = {
  /** Credential id, base64url. */
  readonly id: string
  /** PRF result, 32 bytes. */
  readonly output: Uint8Array
  readonly proof: PasskeyProof
  /** SPKI of a newly created ES256 passkey. */
  readonly publicKey?: Uint8Array
}

/** The passkeys of this site. */
export type Passkeys = {
  /**
   * Creates a passkey and uses it at once. Only the result of that use counts, because not every device supports PRF
   * during creation.
   */
  create(
    request: PasskeyRequest & { userName: string; except: readonly string[]; signal: AbortSignal },
  ): Promise<PasskeyOutcome>
  /** @param request.ids ids of the accepted credentials. Empty: all of this site. */
  use(request: PasskeyRequest & { ids: readonly string[]; signal: AbortSignal }): Promise<PasskeyOutcome>
}

export type PasskeysDependencies = {
  /** `undefined` if the browser lacks WebAuthn. */
  credentials: Pick<CredentialsContainer, 'create' | 'get'> | undefined
  /** Host of this site. */
  rpId: string
  /** Timeout of a whole ceremony. */
  timeoutMs?: number
}

const rpName = 'Latchkey'
const minute = 60_000
/** COSE algorithms. The auth service verifies the first. Some devices support the second only. */
const [es256, rs256] = [-7, -257]

/**
 * Creates access to passkeys with the PRF extension (WebAuthn level 3), bound to the host of this site.
 *
 * @example createPasskeys({ credentials: navigator.credentials, rpId: location.hostname })
 */
export function createPasskeys({ credentials, rpId, timeoutMs = minute }: PasskeysDependencies): Passkeys {
  type Get = PasskeyRequest & { ids: readonly string[]; signal: AbortSignal }

  async function get(container: NonNullable<typeof credentials>, request: Get): Promise<PasskeyOutcome> {
    const { input, challenge, ids, signal } = request
    const found = await container.get({
      signal,
      publicKey: {
        rpId,
        challenge: copyBytes(challenge),
        allowCredentials: ids.map(descriptorOf),
        userVerification: 'required',
        timeout: timeoutMs,
        extensions: { prf: { eval: { first: copyBytes(input) } } },
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
    use: (request) =>
      runCeremony(async () => {
        if (credentials === undefined) return { kind: 'unable' }
        return get(credentials, { ...request, signal: withTimeout(request.signal, timeoutMs) })
      }),

    create: (request) =>
      runCeremony(async () => {
        if (credentials === undefined) return { kind: 'unable' }
        const signal = withTimeout(request.signal, timeoutMs)
        const publicKey = creationOf(request, { rpId, timeoutMs })
        const made = await credentials.create({ signal, publicKey })
        if (!(made instanceof PublicKeyCredential)) return { kind: 'cancelled' }
        const id = base64urlnopad.encode(new Uint8Array(made.rawId))
        const outcome: PasskeyOutcome =
          made.getClientExtensionResults().prf?.enabled === true
            ? await runCeremony(() => get(credentials, { ...request, ids: [id], signal }))
            : { kind: 'unable' }
        if (outcome.kind === 'used') return { kind: 'used', passkey: { ...outcome.passkey, publicKey: spkiOf(made) } }
        await forget(rpId, id)
        return outcome
      }),
  }
}

function creationOf(
  { input, challenge, userName, except }: PasskeyRequest & { userName: string; except: readonly string[] },
  { rpId, timeoutMs }: { rpId: string; timeoutMs: number },
): PublicKeyCredentialCreationOptions {
  return {
    rp: { id: rpId, name: rpName },
    // Random each time: some devices replace a passkey that has the same user id.
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: userName, displayName: userName },
    challenge: copyBytes(challenge),
    pubKeyCredParams: [es256, rs256].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: except.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: timeoutMs,
    extensions: { prf: { eval: { first: copyBytes(input) } } },
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

/** The names of DOM exceptions tell how a ceremony ended. */
async function runCeremony(ceremony: () => Promise<PasskeyOutcome>): Promise<PasskeyOutcome> {
  try {
    return await ceremony()
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    const turnedAway = ['NotAllowedError', 'AbortError', 'TimeoutError', 'InvalidStateError'].includes(name)
    return { kind: turnedAway ? 'cancelled' : 'unable' }
  }
}

/** Asks the device to delete a passkey that does not open the wallet, if the browser supports it. */
async function forget(rpId: string, credentialId: string): Promise<void> {
  const signals: { signalUnknownCredential?(unknown: { rpId: string; credentialId: string }): Promise<void> } =
    PublicKeyCredential
  await signals.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

function descriptorOf(id: string): PublicKeyCredentialDescriptor {
  return { type: 'public-key', id: copyBytes(base64urlnopad.decode(id)) }
}

/** WebAuthn accepts no views of shared memory, and its types require that. */
function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
