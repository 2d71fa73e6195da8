// A tour of the client for every runtime. Its arguments: the module of the client, the address of the service, a key.
export async function tour(client, baseUrl, apiKey) {
  const { PetstoreClient, PetstoreError, verifyWebhook } = client;
  const petstore = new PetstoreClient({ baseUrl, apiKey });
  const large = 9007199254740993n;
  const list = await petstore.listInventory();
  const { quantityAfter } = await petstore.adjustInventory(large, { delta: 1, reason: 'received' });
  const refusal = await petstore.getInventoryItem(99).catch((error) => error);
  const stock = await petstore.watchInventory();
  const changes = stock.changes();
  await petstore.updateInventory(String(large), { quantity: 40 });
  const { value } = await changes.next();
  stock.close();
  const pages = [];
  for await (const { petId } of petstore.listInventory({ limit: 1 })) pages.push(String(petId));
  const forged = await verifyWebhook({ body: '', headers: {}, secret: 'whsec_AAAA' }).catch((error) => error);
  return {
    isExact: list.some(({ petId }) => petId === large),
    quantityAfter,
    refusal: [refusal instanceof PetstoreError, refusal.code, typeof refusal.requestId],
    watched: [String(value.item.petId), value.item.quantity],
    pages,
    forged: forged.code,
    limit: petstore.rateLimits.minute.limit > 0,
    cached: (await petstore.listInventory({}).withResponse()).status,
  };
}
