import { systemClock } from '@latchkey/core'
import type { Approval } from '@latchkey/core/money'
import { isLatchkeyError, type AccountId, type Network } from '@latchkey/protocol'
import {
  decodeFunctionResult,
  encodeFunctionData,
  maxUint160,
  size,
  slice,
  type Address,
  type Client,
  type Hex,
} from 'viem'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { callContract, getEvmAsset, readEvmName } from '../transfers/getEvmAsset.ts'
import { approvalAbi, permit2Abi, permit2Address } from './approvalAbi.ts'
import type { LoggedApproval } from './findApprovalLogs.ts'

type OwnedApproval = { owner: AccountId; address: Address; logged: LoggedApproval }

/**
 * Reads an approval from the chain.
 *
 * @returns undefined if it no longer exists, or the contract reports none
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function readApproval(
  clients: EvmClients,
  network: Network,
  { owner, address, logged }: OwnedApproval,
): Promise<Approval | undefined> {
  const client = getEvmClient(clients, network)
  const { token, spender } = logged
  const base = { chainId: network.caipNetworkId, owner, token, spender }
  switch (logged.kind) {
    case 'token': {
      const data = encodeFunctionData({ abi: approvalAbi, functionName: 'allowance', args: [address, spender] })
      const amount = await callForNumber(client, token, data)
      if (amount === undefined || amount === 0n) return undefined
      const isUnlimited = amount >= ((await readSupply(client, token)) ?? unlimited)
      return { ...base, kind: 'token', amount, isUnlimited, ...(await readToken(clients, network, token)) }
    }
    case 'permit2': {
      const allowed = await readPermit2Allowance(client, { address, token, spender })
      if (allowed === undefined || allowed.amount === 0n || allowed.expiresAt <= (clients.clock ?? systemClock).now())
        return undefined
      const isUnlimited = allowed.amount >= ((await readSupply(client, token)) ?? maxUint160)
      const isMost = allowed.amount === maxUint160
      const texts = await readToken(clients, network, token)
      return { ...base, kind: 'permit2', ...allowed, isUnlimited: isUnlimited || isMost, ...texts }
    }
    case 'collection': {
      const data = encodeFunctionData({ abi: approvalAbi, functionName: 'isApprovedForAll', args: [address, spender] })
      if ((await callForNumber(client, token, data)) !== 1n) return undefined
      return { ...base, kind: 'collection', name: await readName(clients, network, token) }
    }
    case 'nft': {
      const { tokenId } = logged
      const [approved, holder] = await Promise.all(
        (['getApproved', 'ownerOf'] as const).map((functionName) =>
          callForNumber(client, token, encodeFunctionData({ abi: approvalAbi, functionName, args: [tokenId] })),
        ),
      )
      if (approved !== BigInt(spender) || holder !== BigInt(address)) return undefined
      return { ...base, kind: 'nft', tokenId, name: await readName(clients, network, token) }
    }
  }
}

/** Amounts from here on are unlimited, even if the token reports no supply. */
const unlimited = 2n ** 255n

type Permit2Allowance = { amount: bigint; expiresAt: number }

/** Reads an allowance inside of Permit2. Returns undefined on a chain without Permit2. */
async function readPermit2Allowance(
  client: Client,
  { address, token, spender }: { address: Address; token: Address; spender: Address },
): Promise<Permit2Allowance | undefined> {
  const data = encodeFunctionData({ abi: permit2Abi, functionName: 'allowance', args: [address, token, spender] })
  const response = await callContract(client, permit2Address, data)
  if (size(response) < 96) return undefined
  const [amount, expiration] = decodeFunctionResult({ abi: permit2Abi, functionName: 'allowance', data: response })
  return { amount, expiresAt: expiration * 1_000 }
}

async function readSupply(client: Client, token: Address): Promise<bigint | undefined> {
  const supply = await callForNumber(
    client,
    token,
    encodeFunctionData({ abi: approvalAbi, functionName: 'totalSupply' }),
  )
  // A token without supply, or with an impossible one, can still be minted.
  return supply === undefined || supply === 0n || supply > unlimited ? undefined : supply
}

/** Calls a contract. Returns undefined if it reverts or returns less than one number. */
async function callForNumber(client: Client, to: Address, data: Hex): Promise<bigint | undefined> {
  const response = await callContract(client, to, data)
  return size(response) < 32 ? undefined : BigInt(slice(response, 0, 32))
}

type TokenTexts = { name: string; symbol: string; decimals: number }

/** Reads the name and symbol of a token. A token without a symbol is shown by its address, so that it can be revoked. */
async function readToken(clients: EvmClients, network: Network, token: Address): Promise<TokenTexts> {
  try {
    const { name, symbol, decimals } = await getEvmAsset(clients, network, token)
    return { name, symbol, decimals }
  } catch (error) {
    if (!isLatchkeyError(error, 'address/invalid')) throw error
    const short = shorten(token)
    return { name: short, symbol: short, decimals: 0 }
  }
}

async function readName(clients: EvmClients, network: Network, token: Address): Promise<string> {
  return (await readEvmName(clients, network, token)) || shorten(token)
}

function shorten(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
