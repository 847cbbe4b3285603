/** Responses in the format that providers document. They were written by hand, not recorded from a service. */
export const account = '0x1111111111111111111111111111111111111111'
export const other = '0x2222222222222222222222222222222222222222'
export const token = '0xAAaaAaAAAaAaAAaAAAaAaAaAaAaaAAaaaaAaAaAa'
const unlisted = '0x3333333333333333333333333333333333333333'
const nft = '0x4444444444444444444444444444444444444444'
const zeroAddress = `0x${'0'.repeat(40)}`

/** The hash of a transaction by its number. */
export function toTransactionHash(number: number): string {
  return `0x${String(number).padStart(64, '0')}`
}

const listedToken = { address_hash: token, name: 'Named otherwise', symbol: 'XXX', decimals: '6', type: 'ERC-20' }

export const blockscoutProviderFixture = {
  about: { hash: account, coin_balance: '1500000000000000000', is_contract: false },
  tokens: [
    { token: listedToken, token_id: null, value: '2500000' },
    { token: { address: unlisted, name: 'Gnosis', symbol: 'GNO', decimals: '18', type: 'ERC-20' }, value: '7' },
    { token: { address: other, name: 'Visit evil.xyz', symbol: 'LURE', decimals: '18', type: 'ERC-20' }, value: '9' },
    { token: { address: nft, name: 'Keys', symbol: 'KEY', decimals: null, type: 'ERC-721' }, value: '1' },
    { token: { address: nft, name: 'No decimals', symbol: 'ND', decimals: null, type: 'ERC-20' }, value: '1' },
  ],
  transactions: {
    items: [
      {
        hash: toTransactionHash(2),
        block_number: 11,
        timestamp: '2026-11-21T10:00:00.000000Z',
        from: { hash: account },
        to: { hash: other },
        value: '0',
        status: 'error',
        nonce: 8,
        raw_input: '0xa9059cbb0000',
      },
      {
        hash: toTransactionHash(1),
        block_number: 10,
        timestamp: '2026-11-20T10:00:00.000000Z',
        from: { hash: account },
        to: { hash: other },
        value: '500000000000000000',
        status: 'ok',
        nonce: 7,
        raw_input: '0x',
      },
    ],
    next_page_params: null as object | null,
  },
  transfers: {
    items: [
      {
        transaction_hash: toTransactionHash(3),
        block_number: 12,
        timestamp: '2026-11-22T10:00:00.000000Z',
        from: { hash: other },
        to: { hash: account },
        token: listedToken,
        total: { value: '2000000', decimals: '6' },
        log_index: 4,
      },
    ],
    next_page_params: null,
  },
}

const row = { timeStamp: '1795341600', from: account, nonce: '9', blockNumber: '12', hash: toTransactionHash(3) }
const contract = { tokenName: 'Named otherwise', tokenSymbol: 'XXX', tokenDecimal: '6' }

/** The response of Etherscan for one of its lists, below a block. */
export function getEtherscanProviderFixture(action: string | null, endblock: string | null): object {
  const rows: Record<string, readonly Record<string, string>[]> = {
    txlist: [{ ...row, to: other, value: '1000000000000000000', isError: '0', txreceipt_status: '1', methodId: '0x' }],
    tokentx: [{ ...row, ...contract, from: other, to: account, contractAddress: token, value: '2000000' }],
    tokennfttx: [
      {
        ...row,
        hash: toTransactionHash(1),
        blockNumber: '5',
        from: zeroAddress,
        to: account,
        contractAddress: nft,
        tokenID: '7',
        tokenName: 'Claim at evil.xyz',
        tokenSymbol: 'LURE',
      },
    ],
  }
  const result = (rows[action ?? ''] ?? []).filter(
    ({ blockNumber }) => endblock === null || Number(blockNumber) <= Number(endblock),
  )
  return result.length === 0
    ? { status: '0', message: 'No transactions found', result: [] }
    : { status: '1', message: 'OK', result }
}

const createAddressTopic = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`

export const goldrushProviderFixture = {
  balances: {
    data: {
      items: [
        {
          native_token: true,
          contract_address: `0x${'e'.repeat(40)}`,
          balance: '1500000000000000000',
          type: 'cryptocurrency',
        },
        {
          contract_decimals: 6,
          contract_name: 'Named otherwise',
          contract_ticker_symbol: 'XXX',
          contract_address: token,
          native_token: false,
          type: 'cryptocurrency',
          is_spam: false,
          balance: '2500000',
        },
        { contract_decimals: 18, contract_name: 'Lure', contract_address: other, is_spam: true, balance: '9' },
      ],
    },
    error: false,
  },
  transactions: {
    data: {
      current_page: 5,
      links: { prev: 'https://provider.example/page/4/', next: null },
      items: [
        {
          block_signed_at: '2026-11-22T10:00:00Z',
          block_height: 12,
          tx_hash: toTransactionHash(3),
          successful: true,
          from_address: other,
          to_address: token,
          value: '0',
          log_events: [
            {
              sender_address: token.toLowerCase(),
              sender_name: 'Named otherwise',
              sender_contract_ticker_symbol: 'XXX',
              sender_contract_decimals: 6,
              raw_log_topics: [
                '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
                createAddressTopic(other),
                createAddressTopic(account),
              ],
              raw_log_data: `0x${(2_000_000).toString(16).padStart(64, '0')}`,
            },
          ],
        },
      ],
    },
    error: false,
  },
}
