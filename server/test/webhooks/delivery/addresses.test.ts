import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isAllowedAddress,
  isInNetworks,
  parseNetwork,
  parseNetworks,
} from '../../../src/webhooks/delivery/addresses.ts';
import { parseEndpointUrl } from '../../../src/webhooks/delivery/endpoint-url.ts';

/** Addresses that a resolver can return, of which none is public. */
const NOT_PUBLIC =
  `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.255 169.254.0.1
169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 168.63.129.16 192.0.2.1 192.88.99.1 192.168.0.1
192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 100::7f00:1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2002:c0a8:1:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1
fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1`.split(/\s+/);

/** Texts that are not an address at all, although some library reads them as one. */
const NOT_ADDRESSES = [
  '',
  ' ',
  '1',
  '127.1',
  '0177.0.0.1',
  '0x7f.1',
  '2130706433',
  '127.0.0.1.',
  '8.8.8.8 ',
  'localhost',
  '[::1]',
];

const PUBLIC =
  '1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 2606:4700::1111 2a00:1450:4001::1'.split(
    ' ',
  );

/** URLs that an endpoint cannot have. */
const REFUSED_URLS =
  `http://example.com/ https://127.0.0.1/ https://127.1/ https://127.0.1/ https://2130706433/ https://0x7f000001/
https://0x7f.0.0.1/ https://0177.0.0.1/ https://017700000001/ https://127.0.0.1./ https://0/ https://0.0.0.0/ https://10.1/
https://169.254.169.254/latest/meta-data/ https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/
https://[::]/ https://[::1]/ https://[0:0:0:0:0:0:0:1]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/
https://[::ffff:169.254.169.254]/ https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/ https://[2001:0:7f00:1::]/
https://[fe80::1]/ https://[fd00:ec2::254]/ https://[fc00::1]/ https://[ff02::1]/ https://localhost/ https://LOCALHOST/
https://localhost./ https://localhost../ https://a.localhost/ https://a.b.localhost./ https://user@example.com/
https://user:secret@example.com/ https://:secret@example.com/ https://8.8.8.8@127.0.0.1/ https://%31%32%37.0.0.1/
https://①②⑦.0.0.1/ https://127。0。0。1/ ftp://example.com/ file:///etc/passwd gopher://example.com/ javascript:alert(1)
//example.com/ example.com /hooks https:example.com https:/example.com https:// https://example.com:0/ https://./ https://a../`.split(
    /\s+/,
  );

test('at least 60 addresses that are not public are refused, in all forms', () => {
  assert.ok(NOT_PUBLIC.length >= 60, `${NOT_PUBLIC.length} addresses`);
  const accepted = [...NOT_PUBLIC, ...NOT_ADDRESSES].filter((address) => isAllowedAddress(address, []));
  assert.deepEqual(accepted, []);
});

test('public addresses are allowed', () => {
  const refused = PUBLIC.filter((address) => !isAllowedAddress(address, []));
  assert.deepEqual(refused, []);
});

test('URLs of the own host, of private networks and with secrets are refused, in all notations', () => {
  const accepted = REFUSED_URLS.filter((url) => typeof parseEndpointUrl(url, []) !== 'string');
  assert.deepEqual(accepted, []);
  assert.equal(typeof parseEndpointUrl(`https://example.com/${'a'.repeat(2_048)}`, []), 'string');
});

test('the refusal of another scheme says which one it must be', () => {
  for (const url of ['ftp://shop.example/hooks', 'shop.example/hooks', '/hooks', ''])
    assert.match(String(parseEndpointUrl(url, [])), /^The URL must begin with https:\/\//, url);
});

test('a URL with control characters is refused, which `URL` would leave out', () => {
  for (const character of '\0\t\n\r\u001b\u007f\u0085') {
    const fault = parseEndpointUrl(`https://example.com/a${character}b`, []);
    assert.equal(fault, 'The URL must not have control characters.', JSON.stringify(character));
  }
});

test('a URL is read into the parts of a request', () => {
  assert.deepEqual(parseEndpointUrl('https://Hooks.Example.com:8443/a%20b?c=d#e', []), {
    isSecure: true,
    host: 'hooks.example.com',
    isAddress: false,
    port: 8443,
    authority: 'hooks.example.com:8443',
    target: '/a%20b?c=d',
  });
  const dotted = parseEndpointUrl('https://hooks.example.:8443/', []);
  assert.ok(typeof dotted === 'object');
  // TLS names the host without the dot.
  assert.deepEqual([dotted.host, dotted.authority], ['hooks.example', 'hooks.example.:8443']);
  const address = parseEndpointUrl('https://[2606:4700::1111]', []);
  assert.deepEqual(address, {
    isSecure: true,
    host: '2606:4700::1111',
    isAddress: true,
    port: 443,
    authority: '[2606:4700::1111]',
    target: '/',
  });
});

test('a network that the operator allows is allowed, and its neighbours are not', () => {
  const networks = parseNetworks(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32']);
  for (const address of ['10.1.0.1', '10.1.255.255', '127.0.0.1', 'fd00:1::5', '8.8.8.8']) {
    assert.equal(isAllowedAddress(address, networks), true, address);
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::5', '::ffff:10.1.0.1', '::1', '192.168.0.1']) {
    assert.equal(isAllowedAddress(address, networks), false, address);
  }
  assert.equal(isInNetworks('8.8.8.8', networks), false);
  assert.equal(typeof parseEndpointUrl('http://8.8.8.8/', networks), 'string');
  assert.equal(typeof parseEndpointUrl('http://10.1.2.3/', networks), 'object');
  assert.equal(typeof parseEndpointUrl('http://localhost/', networks), 'object');
  assert.equal(typeof parseEndpointUrl('https://10.2.0.1/', networks), 'string');
});

test('only addresses and CIDR blocks are networks', () => {
  for (const text of [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    '010.0.0.0/8',
    '::/129',
    'localhost',
    '10.0.0.0/8/9',
    'fe80::1%eth0',
  ]) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});
