export { switchWithinWallet } from '@latchkey/adapter-kit'
