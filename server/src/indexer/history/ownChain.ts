/**
 * The part of a statement that selects the chain `$1` if its term is `$2`. It locks the row of the chain, so that no other
 * process can take the lease before the statement has ended.
 */
export const ownChain = `own as (select chain, head from index_chain where chain = $1 and term = $2 for update)`
