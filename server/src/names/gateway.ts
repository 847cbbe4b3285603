import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  encodePacked,
  getAddress,
  hexToBytes,
  keccak256,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Clock } from '../kit/runtime/clock.ts'
import { Problem } from '../kit/http/problem.ts'
import { mainnetCoinType, parseReverseCoinType } from './coinType.ts'
import type { NameRegistry } from './nameRegistry.ts'
import type { NameRecord } from './nameStore.ts'

/** The call of the resolver contract: a DNS-encoded name, the call of the record, and the address of the contract. */
const gatewayAbi = parseAbi(['function answer(bytes name, bytes question, address resolver)'])
const resolverAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function name(bytes32 node) view returns (string)',
])

/** Validity of a response in seconds. */
const lifetime = 300
const mostCharacters = 4_096

export type GatewayDependencies = { registry: NameRegistry; clock: Clock; signer: PrivateKeyAccount }

/** Responds to calls of the resolver contract (ERC-3668) with a signature that the contract verifies. */
export type Gateway = {
  /** @throws Problem 400 `data` if it is not a call of the resolver contract */
  respond(data: string): Promise<Hex>
}

/** Creates the gateway to the names of a registry. */
export function createGateway({ registry, clock, signer }: GatewayDependencies): Gateway {
  return {
    async respond(data) {
      const { name, call, resolver } = parseGatewayRequest(data)
      const result = await resolveRequest(registry, name, call)
      const expires = BigInt(Math.floor(clock.now() / 1000) + lifetime)
      // The signature covers the contract and the call, so that it cannot be replayed with another one.
      const hash = keccak256(
        encodePacked(
          ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
          ['0x1900', resolver, expires, keccak256(data as Hex), keccak256(result)],
        ),
      )
      const signature = await signer.sign({ hash })
      return encodeAbiParameters(
        [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
        [result, expires, signature],
      )
    },
  }
}

type GatewayRequest = { name: string; call: ReturnType<typeof decodeResolverCall>; resolver: Address }

function parseGatewayRequest(data: string): GatewayRequest {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(data) || data.length > mostCharacters) {
    throw new Problem(400, 'data', 'This is not a call of the resolver contract.')
  }
  try {
    const { args } = decodeFunctionData({ abi: gatewayAbi, data: data as Hex })
    const [name, call, resolver] = args
    return { name: decodeDnsName(hexToBytes(name)), call: decodeResolverCall(call), resolver }
  } catch (cause) {
    throw new Problem(400, 'data', 'Names do not support this call.', { cause })
  }
}

function decodeResolverCall(data: Hex) {
  return decodeFunctionData({ abi: resolverAbi, data })
}

/** Decodes a DNS name: labels with length prefixes, terminated by a zero. */
function decodeDnsName(bytes: Uint8Array): string {
  const labels: string[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let at = 0; ;) {
    const length = bytes[at] ?? -1
    if (length === 0 && at === bytes.length - 1) return labels.join('.')
    if (length <= 0 || at + length >= bytes.length) throw new TypeError('This is not a name as DNS writes it.')
    labels.push(decoder.decode(bytes.subarray(at + 1, at + 1 + length)))
    at += 1 + length
  }
}

/** Resolves a call. Missing records return empty values, as on-chain resolvers do. */
async function resolveRequest(registry: NameRegistry, name: string, call: GatewayRequest['call']): Promise<Hex> {
  const abi = resolverAbi
  if (call.functionName === 'name') {
    return encodeFunctionResult({ abi, functionName: 'name', result: await resolveReverseName(registry, name) })
  }
  const record = await registry.find(name)
  if (call.functionName === 'text') {
    return encodeFunctionResult({ abi, functionName: 'text', result: getTextRecord(record, call.args[1]) })
  }
  const coinType = call.args.length === 1 ? BigInt(mainnetCoinType) : call.args[1]
  const address = record?.addresses[String(coinType)]?.address
  return call.args.length === 1
    ? encodeAbiParameters([{ type: 'address' }], [address === undefined ? zeroAddress : getAddress(address)])
    : encodeAbiParameters([{ type: 'bytes' }], [address === undefined ? '0x' : getAddress(address)])
}

/** Finds the first name of the address in a reverse name: `f39f….addr.reverse`. */
async function resolveReverseName(registry: NameRegistry, name: string): Promise<string> {
  const match = /^([0-9a-f]{40})\.([0-9a-z]+)\.reverse$/.exec(name)
  if (match === null) return ''
  const coinType = parseReverseCoinType(match[2] ?? '')
  const names = await registry.ofOwner(`0x${match[1] ?? ''}`)
  // The name of a contract says nothing about its address on other chains.
  return names.find(({ signer, proofCoinType }) => signer !== 'contract' || proofCoinType === coinType)?.name ?? ''
}

/** Gets a text record by its key (ENSIP-5, ENSIP-18). */
function getTextRecord(record: NameRecord | undefined, key: string): string {
  const by: Readonly<Record<string, string | undefined>> = { description: 'bio', bio: 'bio' }
  const attribute = Object.hasOwn(by, key) ? by[key] : undefined
  return attribute === undefined ? '' : (record?.attributes?.[attribute] ?? '')
}
