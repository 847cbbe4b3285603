export const EthereumProvider = undefined
