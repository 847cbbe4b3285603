import { existsSync } from 'node:fs'
import { chains } from '../shared/chains.ts'

if (existsSync('.env')) process.loadEnvFile()

const { HOST: host = 'localhost', PORT: port = '3000', ORIGIN: origin = `http://localhost:${port}` } = process.env

export const config = {
  host,
  port: Number(port),
  /** The origin of the app in the browser. The server never takes it from a request, where an attacker could choose it. */
  origin: new URL(origin),
  chains: chains.map(({ id }) => `eip155:${id}` as const),
  /** The node of a chain. It verifies smart accounts; keys need no node. */
  findNode: (chain: string) => process.env[`RPC_URL_${chain.replace('eip155:', '')}`],
}
