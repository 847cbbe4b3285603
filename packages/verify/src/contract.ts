import { parseChainId, type ChainId } from '@latchkey/protocol'
import { createClient, custom, http, type Address, type Client, type Hex } from 'viem'
import { getChainId, verifyMessage } from 'viem/actions'

/** Whom to ask about the chain of a contract: the address of a node, or what speaks to one (EIP-1193). */
export type ChainSource = string | { request(args: { method: string; params?: unknown }): Promise<unknown> }

/**
 * Asks the chain whether the contract of an account takes a signature as its own (ERC-1271), also before it is deployed
 * (ERC-6492).
 *
 * @param patience how long each answer of the node may take, in milliseconds
 * @returns undefined when the chain cannot be asked.
 */
export async function isSignedByContract(
  source: ChainSource,
  chainId: ChainId,
  signed: { address: string; message: string; signature: string },
  patience: number,
): Promise<boolean | undefined> {
  const { client, failed } = watch(source, patience)
  try {
    // A contract of the same address on another chain may belong to somebody else.
    if ((await getChainId(client)) !== Number(parseChainId(chainId).reference)) return undefined
    // Both were looked at before a chain was.
    const [address, signature] = [signed.address as Address, signed.signature as Hex]
    const isSigned = await verifyMessage(client, { address, message: signed.message, signature })
    return isSigned || !failed() ? isSigned : undefined
  } catch {
    return undefined
  }
}

/** A signature that could not be checked looks like a wrong one: so it is seen whether the node answered at all. */
function watch(source: ChainSource, patience: number): { client: Client; failed: () => boolean } {
  let failed = false
  // Whatever speaks EIP-1193 takes the methods of all chains.
  const node: Pick<Client, 'request'> =
    typeof source === 'string'
      ? createClient({ transport: http(source, { timeout: patience, retryCount: 0 }) })
      : (source as Pick<Client, 'request'>)
  async function request(args: Parameters<Client['request']>[0]): Promise<unknown> {
    try {
      return await inTime(node.request(args), patience)
    } catch (error) {
      failed ||= !isRefusal(error)
      throw error
    }
  }
  return { client: createClient({ transport: custom({ request }, { retryCount: 0 }) }), failed: () => failed }
}

/** Whether a node answered that the call was reverted: it was there, and the contract took no signature. */
function isRefusal(error: unknown): boolean {
  const reverted: unknown[] = [3, -32_000, -32_015]
  for (let each = error; typeof each === 'object' && each !== null; each = 'cause' in each ? each.cause : undefined) {
    if ('code' in each && reverted.includes(each.code)) return true
  }
  return false
}

/** Gives up on a node that says nothing. */
async function inTime(answer: Promise<unknown>, patience: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The node did not answer in time.')), patience)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
