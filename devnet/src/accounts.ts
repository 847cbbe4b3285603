import { mnemonicToAccount, type HDAccount } from 'viem/accounts'
import type { Address, Hex } from 'viem'

/** The phrase of every development chain. Its keys are public: never send anything of value to them. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The funded accounts of the phrase, in order. Hard-coded because deriving them takes longer than a warm start. */
export const addresses = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
  '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
] as const satisfies readonly Address[]

/** The account index of each role. Every sender has its own account, because nonces are counted per account. */
export const roles = {
  user: 0,
  wallet: 1,
  spare: 3,
  paymaster: 5,
  onRamp: 8,
  deployer: 9,
  bundler: 10,
  bundlerHelper: 11,
} as const

/** A funded account of the local chains, able to sign. */
export function localAccount(index: number): HDAccount {
  return mnemonicToAccount(mnemonic, { addressIndex: index })
}

/** The key of the account that the on-ramp pays from, hard-coded for the same reason. */
export const onRampKey: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97'

/** The keys of the accounts that the bundler sends operations from and deploys its simulation contracts with. */
export const bundlerKeys = {
  executor: '0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897',
  helper: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
} as const satisfies Readonly<Record<string, Hex>>

/** The key whose signature makes the paymaster pay. */
export const paymasterKey: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
