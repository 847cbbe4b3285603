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
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import { mainnetCoinType } from './coinType.ts'
import type { Registry } from './registry.ts'
import type { NameRecord } from './store.ts'

/** What the resolver contract asks: a name as DNS writes it, a question about it, and which contract asks. */
const questionAbi = parseAbi(['function answer(bytes name, bytes question, address resolver)'])
const resolverAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function name(bytes32 node) view returns (string)',
])

/** For how many seconds an answer is good. */
const lifetime = 300
const mostCharacters = 4_096

export type GatewayParts = { registry: Registry; clock: Clock; signer: PrivateKeyAccount }

/** Answers questions of the resolver contract (ERC-3668), signed so that the contract can tell. */
export type Gateway = {
  /** @throws Problem 400 `data` when this is no such question. */
  answer(data: string): Promise<Hex>
}

/** Makes the gateway to the names of a registry. */
export function createGateway({ registry, clock, signer }: GatewayParts): Gateway {
  return {
    async answer(data) {
      const { name, question, resolver } = readQuestion(data)
      const result = await resultOf(registry, name, question)
      const expires = BigInt(Math.floor(clock.now() / 1000) + lifetime)
      // The question names the contract, so that no other one takes the answer, nor this one for another question.
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

type Question = { name: string; question: ReturnType<typeof decodeResolverCall>; resolver: Address }

function readQuestion(data: string): Question {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(data) || data.length > mostCharacters) {
    throw new Problem(400, 'data', 'This is not a question of the resolver contract.')
  }
  try {
    const { args } = decodeFunctionData({ abi: questionAbi, data: data as Hex })
    const [name, question, resolver] = args
    return { name: readDnsName(hexToBytes(name)), question: decodeResolverCall(question), resolver }
  } catch (cause) {
    throw new Problem(400, 'data', 'This is not a question that names have an answer to.', { cause })
  }
}

function decodeResolverCall(data: Hex) {
  return decodeFunctionData({ abi: resolverAbi, data })
}

/** A name as DNS writes it: each label behind its length, a zero at the end. */
function readDnsName(bytes: Uint8Array): string {
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

/** What a name without a record says is what a resolver on the chain would say: nothing. */
async function resultOf(registry: Registry, name: string, question: Question['question']): Promise<Hex> {
  const abi = resolverAbi
  if (question.functionName === 'name') {
    return encodeFunctionResult({ abi, functionName: 'name', result: await nameOf(registry, name) })
  }
  const record = await registry.find(name)
  if (question.functionName === 'text') {
    return encodeFunctionResult({ abi, functionName: 'text', result: textOf(record, question.args[1]) })
  }
  const coinType = question.args.length === 1 ? BigInt(mainnetCoinType) : question.args[1]
  const address = record?.addresses[String(coinType)]?.address
  return question.args.length === 1
    ? encodeAbiParameters([{ type: 'address' }], [address === undefined ? zeroAddress : getAddress(address)])
    : encodeAbiParameters([{ type: 'bytes' }], [address === undefined ? '0x' : getAddress(address)])
}

/** The first name of the address that a reverse name is made of: `f39f….addr.reverse`. */
async function nameOf(registry: Registry, name: string): Promise<string> {
  const match = /^([0-9a-f]{40})\.[0-9a-z]+\.reverse$/.exec(name)
  if (match === null) return ''
  const [first] = await registry.ofOwner(`0x${match[1] ?? ''}`)
  return first?.name ?? ''
}

/** What a name says of itself, by the keys that ENSIP-5 and ENSIP-18 give. */
function textOf(record: NameRecord | undefined, key: string): string {
  const by: Readonly<Record<string, string | undefined>> = { description: 'bio', bio: 'bio' }
  const attribute = Object.hasOwn(by, key) ? by[key] : undefined
  return attribute === undefined ? '' : (record?.attributes?.[attribute] ?? '')
}
