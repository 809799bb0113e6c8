/* Stacks of other languages and systems, in every layout that people paste: one crash is one
 * cluster whatever stands before its lines, two crashes are two. */
#include "mining/mining.h"
#include "tactus_test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *wanted;
} crashes[] = {
    {"Unhandled Exception: PlatformException(sign_in_failed, 10: , null, null)\n"
     "#0      StandardMethodCodec.decodeEnvelope (package:flutter/src/services/codecs.dart:653:7)\n"
     "#1      Cart.load (package:shop/src/cart.dart:12:5)\n",
     "PlatformException at Cart.load"},
    {"MissingPluginException(No implementation found for method load on channel cart)\n"
     "       at MethodChannel._invokeMethod(platform_channel.dart:294)\n"
     "       at Cart.load(cart.dart:12)\n",
     "MissingPluginException at Cart.load"},
    {"The following TypeErrorImpl was thrown building Cart:\nUnexpected null value.\n\n"
     "package:get/src/routes/middleware.dart 200:49  page\n"
     "package:shop/src/cart.dart 12:5                Cart.load\n"
     "dart:async/zone_root.dart 48:47                _rootRun\n",
     "TypeErrorImpl at Cart.load"},
    {"Xamarin caused by: android.runtime.JavaProxyThrowable: System.NullReferenceException: x\n"
     "  at (wrapper remoting-invoke-with-check) Mono.Security.Tls:set_Check (bool)\n"
     "  at Acme.Shop.Cart.Load () [0x00000] in <cdde401f4fc64c87a9a513ce5f60d5ad>:0\n"
     "  at Acme.Shop.App.Main () [0x00000] in <cdde401f4fc64c87a9a513ce5f60d5ad>:0\n",
     "System.NullReferenceException at Acme.Shop.Cart.Load"},
    {"org.acme.net.Client: connection lost\njava.lang.NoSuchMethodError: 'void x()'\n"
     "\tat org.acme.shop.Cart.load(Cart.kt:12)\n\tat org.acme.shop.App.main(App.kt:3)\n",
     "java.lang.NoSuchMethodError at org.acme.shop.Cart.load"},
    {"INSTRUMENTATION_STATUS: stream=\norg.acme.shop.CartTest\n"
     "INSTRUMENTATION_STATUS: stack=java.lang.AssertionError: x\n"
     "at org.junit.Assert.fail(Assert.java:1)\nat org.acme.shop.Cart.load(Cart.java:12)\n",
     "java.lang.AssertionError at org.acme.shop.Cart.load"},
    {"java.lang.NullPointerException: x\n1 java.lang.Object.wait(Native Method)\n"
     "2 org.acme.shop.Cart.load(Cart.java:53)\n3 a.b.c(Unknown Source)\n",
     "java.lang.NullPointerException at org.acme.shop.Cart.load"},
    {"com.facebook.react.bridge.JavaMethodWrapper.invoke (JavaMethodWrapper.java:374);\n\n"
     "org.acme.shop.Cart.load (Cart.java:12);\n\n"
     "com.facebook.react.bridge.NativeRunnable.run (NativeRunnable.java);\n\n"
     "Reason\n\ncom.facebook.react.common.JavascriptException\n",
     "com.facebook.react.common.JavascriptException at org.acme.shop.Cart.load"},
    {"java.lang.Error: FATAL EXCEPTION [UnityMain]\nUnity version     : 2019.4.16f1\n"
     "Caused by: java.lang.Error: *** *** *** *** *** *** *** ***\n"
     "pid: 298, tid: 299, name: UnityMain  >>> org.acme.shop <<<\n"
     "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n"
     "    x0  0000000000000000  x1  0000006f6f15d9b0\n\nbacktrace:\n"
     "      #00 pc 00000d48e74  /data/app/x/lib/arm64/libil2cpp.so (Cart_Load_m8E+76)\n"
     "      #01 pc 00000d48e99  /data/app/x/lib/arm64/libil2cpp.so (App_Main_m2A+6)\n",
     "SIGSEGV at libil2cpp.so!Cart_Load_m8E"},
    {"java.lang.IllegalStateException: a: b\n\tat java.util.Objects.check(Objects.java:3)\n"
     "\tat org.acme.shop.Cart.load(Cart.kt:12)\n\tat android.os.Looper.loop(Looper.java:223)\n",
     "java.lang.IllegalStateException at org.acme.shop.Cart.load"},
    {"Fatal Exception: java.lang.RuntimeException: Unable to start activity\n"
     "       at android.app.ActivityThread.main(ActivityThread.java:1)\n"
     "Caused by java.lang.NullPointerException: x\n"
     "       at org.acme.shop.Cart.load(Cart.kt:12)\n",
     "java.lang.NullPointerException at org.acme.shop.Cart.load"},
    {"Exception java.lang.NullPointerException:\n  at org.acme.shop.Cart.load (Cart.kt:12)\n"
     "  at android.os.Looper.loop (Looper.java:223)\n",
     "java.lang.NullPointerException at org.acme.shop.Cart.load"},
    {"[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: RangeError (index): "
     "Invalid value\n#0      List.[] (dart:core-patch/growable_array.dart:264:36)\n"
     "#1      _CartState.load.<anonymous closure> (package:shop/src/cart.dart:12:5)\n"
     "<asynchronous suspension>\n"
     "#2      State.build (package:flutter/src/widgets/framework.dart:4992:27)\n",
     "RangeError at _CartState.load.<anonymous closure>"},
    {"Unhandled exception:\nNull check operator used on a null value\n"
     "#0      new Cart (package:shop/src/cart.dart:12:5)\n#1      main "
     "(package:shop/main.dart:1)\n",
     "TypeError at Cart"},
    {"The following _TypeError was thrown building Cart(dirty):\n"
     "type 'Null' is not a subtype of type 'String'\n\n"
     "When the exception was thrown, this was the stack:\n"
     "#0      Provider.of (package:provider/src/provider.dart:1:2)\n"
     "#1      Cart.build (package:shop/src/cart.dart:12:5)\n",
     "TypeError at Cart.build"},
    {"signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10\n"
     "      #00 pc 0000000000082ab4  libc.so (memcpy+12)\n"
     "      #01 pc 000000000001a2b4  libshop.so (Cart::load(int, char*)+148)\n"
     "      #02 pc 0000000000001000  <anonymous:7a3f>\n",
     "SIGSEGV at libshop.so!Cart::load(int, char*)"},
    {"==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020 at pc 0x4f\n"
     "READ of size 4 at 0x6020 thread T0\n"
     "    #0 0x7f12 in memcpy (/lib/x86_64-linux-gnu/libc.so.6+0x18)\n"
     "    #1 0x4f12ab in cart_load /home/u/src/cart.c:12:5\n"
     "    #2 0x4f12ff in main /home/u/src/main.c:3:1\n",
     "heap-use-after-free at cart_load"},
    {"Program received signal SIGBUS, Bus error.\n"
     "#0  0x00005555deadbeef in cart_load (x=0x0, n=2) at ../src/cart.c:12\n"
     "#1  main (argc=1, argv=0x7ff) at main.c:30\n",
     "SIGBUS at cart_load"},
    {"Uncaught TypeError: x is null\n    at Array.forEach (<anonymous>)\n"
     "    at Cart.load (https://shop.example/static/cart.js:12:5)\n"
     "    at https://shop.example/static/main.js:1:2\n",
     "TypeError at Cart.load"},
    {"ReferenceError: y is not defined\n    at https://shop.example/static/main.js?v=3:10:2\n"
     "    at <anonymous>\n",
     "ReferenceError at main.js"},
    {"TypeError: x is null\nload/<@https://shop.example/cart.js:12:5\n"
     "@https://shop.example/main.js:1:2\n",
     "TypeError at load/<"},
    {"RangeError: too long\nforEach@[native code]\nload@https://shop.example/cart.js:12:5\n"
     "global code@https://shop.example/main.js:1:2\n",
     "RangeError at load"},
    {"com.facebook.react.common.JavascriptException: TypeError: x is null, stack:\n"
     "onPress@405:1234\n<unknown>@1:1\n\n"
     "\tat com.facebook.react.modules.core.ExceptionsManagerModule.show(X.java:54)\n",
     "TypeError at onPress"},
    {"Process:             Shop [412]\nException Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
     "Exception Codes: KERN_INVALID_ADDRESS at 0x10\nCrashed Thread:  0\n\n"
     "Thread 0 Crashed:\n0   libobjc.A.dylib               \t0x00000001854ae2bc objc_msgSend + 16\n"
     "1   Shop                          \t0x0000000104ae2bc0 -[Cart load:] + 84 (Cart.m:12)\n"
     "2   UIKitCore                     \t0x0000000184ae2bc0 -[UIApplication send:] + 100\n\n"
     "Thread 1:\n0   Other                         \t0x0000000184ae2bc0 wait + 8\n",
     "SIGSEGV at Shop!-[Cart load:]"},
    {"Exception Type:  EXC_CRASH (SIGABRT)\nThread 3 Crashed:\n"
     "0   libsystem_kernel.dylib        \t0x00000001b1b00000 __pthread_kill + 8\n"
     "1   My Shop                       \t0x0000000102c50abc 0x102c4c000 + 19132\n",
     "SIGABRT at My Shop+19132"},
    {"*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'\n"
     "*** First throw call stack:\n(\n"
     "\t0   CoreFoundation                      0x000000010c6cfc45 __exceptionPreprocess + 242\n"
     "\t1   Shop                                0x0000000104ae2bc0 Cart.load(_:) + 299\n)\n",
     "NSRangeException at Shop!Cart.load(_:)"},
    {"System.AggregateException: One or more errors occurred. ---> "
     "System.NullReferenceException: Object reference not set\n"
     "  at System.Collections.Generic.List`1[T].get_Item (System.Int32 index) [0x9] in <0d8f>:0\n"
     "  at Shop.Cart+<Load>d__5.MoveNext () [0x00012] in C:\\src\\Cart.cs:23\n"
     "   --- End of inner exception stack trace ---\n"
     "  at System.Threading.Tasks.Task.Wait () [0x00043] in <d4a2>:0\n",
     "System.NullReferenceException at Shop.Cart.Load"},
    {"System.Exception: outer\n ---> System.InvalidOperationException: empty\n"
     "   at Shop.Cart.<>c__DisplayClass1_0.<Load>b__0()\n"
     "   --- End of inner exception stack trace ---\n   at Shop.Main.Run()\n",
     "System.InvalidOperationException at Shop.Cart.Load"},
    {"NullReferenceException: Object reference not set\n"
     "Cart.Load () (at Assets/Scripts/Cart.cs:12)\n"
     "UnityEngine.Events.InvokableCall.Invoke () (at <0d2d>:0)\n",
     "NullReferenceException at Cart.Load"},
    {"Traceback (most recent call last):\n"
     "  File \"/data/user/0/org.acme.shop/files/app/main.py\", line 3, in <module>\n"
     "    App().run()\n"
     "  File \"/data/user/0/org.acme.shop/files/app/cart.py\", line 12, in load\n"
     "    return json.loads(x)\n           ^^^^^^^^^^^^^\n"
     "  File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n"
     "    obj, end = self.scan_once(s, idx)\n"
     "json.decoder.JSONDecodeError: Expecting value\n\n"
     "During handling of the above exception, another exception occurred:\n\n"
     "Traceback (most recent call last):\n  File \"/x/main.py\", line 9, in <module>\n"
     "    f()\nValueError: y\n",
     "json.decoder.JSONDecodeError at cart.load"},
    {"===== CRASH =====\n"
     "si_signo=Segmentation fault(11), si_code=SEGV_MAPERR(1), si_addr=0x8\n"
     "version=3.1 (stable) on \"android_arm64\"\n"
     "  pc 0x00000070aa1f2e3d fp 0x00000070bb000100 sp 0x00000070bb0000f0 "
     "/data/app/org.acme.shop-x==/lib/arm64/libflutter.so+0x00a1f2e3d\n"
     "  pc 0x00000070aa000001 fp 0x00000070bb000200 Unknown symbol\n"
     "-- End of DumpStackTrace\n"
     "Fatal signal 6 (SIGABRT), code -6 in tid 9 (1.ui)\n"
     "      #00 pc 0001  /apex/x/libc.so (abort+1)\n",
     "SIGSEGV at libflutter.so+0xa1f2e3d"},
    {"../../runtime/vm/heap.cc: 70: error: expected: size > 0\n"
     "thread=4771, isolate=main(0x55af)\n"
     "  pc 0x000055afcc0289ec fp 0x00007f111367e8d0 dart::Profiler::DumpStackTrace(void*)\n"
     "  pc 0x000055afcbc45782 fp 0x00007f111367e9b0 dart::Assert::Fail(char const*, ...)\n"
     "  pc 0x000055afcc0d821c fp 0x00007f111367eba0 dart::Heap::Grow(long, bool)\n"
     "-- End of DumpStackTrace\n",
     "SIGABRT at dart::Heap::Grow(long, bool)"},
    {"signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x44\n"
     "28 total frames\n"
     "backtrace:\n"
     "      #00 pc 00000000022d2b85  /data/app/~~q==/org.acme.shop-x==/base.apk!libflutter.so "
     "(offset 0x33a8000) (BuildId: d36b)\n"
     "      #01 pc 000000000191df18  /data/app/x/base.apk!libflutter.so (BuildId: d36b)\n",
     "SIGSEGV at libflutter.so+0x22d2b85"},
    {"signal 6 (SIGABRT), code -6\n"
     "  #00  pc 0x0000000000001234  /system/lib/libc.so (abort+1)\n"
     "  #01  pc 0x00000000005109e3  /data/app/x/lib/arm/libshop.so (std::terminate())\n"
     "  #02  pc 0x00000000005109e4  /data/app/x/lib/arm/libshop.so (Cart::Load(Item*, bool))\n",
     "SIGABRT at libshop.so!Cart::Load(Item*, bool)"},
    {"Received signal 11 SEGV_MAPERR 000000000000\n"
     "#0 0x7f93ec38efbb base::debug::(anonymous namespace)::StackDumpSignalHandler()\n"
     "#1 0x7f93e660bcb0 <unknown>\n"
     "#2 0x7f93ec8a0640 shop::(anonymous namespace)::Cart::Load() [../../shop/cart.cc:12:5]\n"
     "#3 0x7f93e6603e9a start_thread\n"
     "  r8: 0000000000000000  r9: 00000000\n"
     "[end of stack trace]\n",
     "SIGSEGV at shop::(anonymous namespace)::Cart::Load()"},
    {"Received signal 10 BUS_ADRERR 058c0000057c\n"
     "0   Shop Framework                      0x0000000117ad7739 "
     "base::debug::CollectStackTrace(void**, unsigned long) + 9\n"
     "1   libsystem_platform.dylib            0x00007fff652b242d _sigtramp + 29\n"
     "2   ???                                 0x00007f9d56173880 0x0 + 140313730955392\n"
     "3   Shop Framework                      0x0000000117231c1c shop::Cart::Load(shop::Item*) + "
     "1148\n",
     "SIGBUS at Shop Framework!shop::Cart::Load(shop::Item*)"},
    {"Crash reason:  SIGSEGV /SEGV_MAPERR\n"
     "Crash address: 0x8\n"
     "\n"
     "Thread 12 (crashed)\n"
     " 0  libc.so + 0x1d4f8\n"
     "     x0 = 0x0000000000000000    x1 = 0x0000000000000001\n"
     "    Found by: given as instruction pointer in context\n"
     " 1  libshop.so!Cart::Load(int) [cart.cpp : 12 + 0x5]\n"
     "     x19 = 0x0000007f\n"
     "    Found by: call frame info\n"
     " 2  libshop.so + 0x123456\n"
     "    Found by: stack scanning\n"
     "\n"
     "Thread 0\n"
     " 0  libother.so!wait + 0x8\n",
     "SIGSEGV at libshop.so!Cart::Load(int)"},
    {"# Platform: apple\n"
     "# Issue ID: 57306112\n"
     "\n"
     "Fatal Exception: NSInvalidArgumentException\n"
     "0  CoreFoundation                 0x9e88 __exceptionPreprocess\n"
     "1  Shop                           0x178d8 FIRCLSHandler + 34 (FIRCLSHandler.m:34)\n"
     "2  Shop                           0x4a25 Cart.load(_:) + 376 (Cart.swift:376)\n"
     "3  UIKitCore                      0x291d -[UIApplication send] + 407\n",
     "NSInvalidArgumentException at Shop!Cart.load(_:)"},
    {"Crashed: com.apple.main-thread\n"
     "0  libobjc.A.dylib                0x1c20 objc_msgSend + 32\n"
     "1  Shop                           0x4a25 -[Cart load] (Cart.m:12)\n"
     "\n"
     "com.google.firebase.crashlytics.MachExceptionServer\n"
     "0  Shop                           0x392a25 FIRCLSProcessRecordAllThreads + 376\n",
     "Shop!-[Cart load]"},
    {"Exception Type:  SIGABRT\n"
     "Crashed Thread:  0\n"
     "\n"
     "Thread 0 Crashed:: Dispatch queue: com.apple.main-thread\n"
     "0   libsystem_kernel.dylib        \t0x00007fff62a312c6 __pthread_kill + 10\n"
     "1   org.acme.shop                 \t0x0000000103ebe08f 0x102e3e000 + 17301647 -[Cart load] "
     "(in Shop) + 0\n",
     "SIGABRT at org.acme.shop!-[Cart load]"},
    {"Exception type: EXC_SOFTWARE (SIGABRT)\n"
     "Triggered by thread: 2\n"
     "Call stack:\n"
     "0   libsystem_kernel.dylib        \t0x0000000187182df0 0x18715c000 + 0x26df0   \t// "
     "__pthread_kill + 0x8\n"
     "1   Shop                          \t0x0000000104ae2bc0 0x104ae0000 + 11200     \t// -[Cart "
     "load] + 0x4\n",
     "SIGABRT at Shop!-[Cart load]"},
    {"Uncaught Kotlin exception: kotlin.IllegalStateException: empty\n"
     "    at 0   Shop.debug.dylib         0x106d2941f        "
     "kfun:kotlin.Throwable#<init>(kotlin.String?){} + 115\n"
     "    at 1   Shop.debug.dylib         0x106bee787        "
     "kfun:org.acme.shop.Cart#load(kotlin.Int){}kotlin.Any? + 739\n"
     "    at 2   Shop.debug.dylib         0x106bee787        "
     "kfun:kotlin.Function2#invoke(1:0;1:1){}1:2-trampoline + 115\n",
     "kotlin.IllegalStateException at org.acme.shop.Cart.load"},
    {"UNHANDLED EXCEPTION:\n"
     "Android.Runtime.JavaProxyThrowable: Exception_WasThrown, Android.Runtime.JavaProxyThrowable\n"
     "  --- End of managed Android.Runtime.JavaProxyThrowable stack trace ---\n"
     "android.runtime.JavaProxyThrowable: System.NullReferenceException: Object reference not set\n"
     "   at Microsoft.Maui.Controls.Hosting.Builder.SetupDefaults(MauiAppBuilder builder)\n"
     "   at Acme.Shop.Cart.Load(MauiAppBuilder builder)\n",
     "System.NullReferenceException at Acme.Shop.Cart.Load"},
    {"android.runtime.JavaProxyThrowable: [System.NullReferenceException]: Object reference not "
     "set\n"
     "\tat Acme.Shop.Cart.Load(Unknown Source:0)\n"
     "\tat crc64ef325ad1a3b68b57.MainActivity.n_onCreate(Native Method)\n",
     "System.NullReferenceException at Acme.Shop.Cart.Load"},
    {"[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: RangeError (index): "
     "Invalid value\n"
     "Warning: This VM has been configured to produce stack traces that violate the standard.\n"
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
     "pid: 9, tid: 12, name 1.ui\nbuild_id: 'ab12'\nisolate_dso_base: 7a00, vm_dso_base: 7a00\n"
     "    #00 abs 000000723d6346d7 virt 00000000001ed6d7 "
     "_kDartIsolateSnapshotInstructions+0x1e26d7\n"
     "    #01 abs 000000723d6376a7 virt 00000000001f06a7 "
     "_kDartIsolateSnapshotInstructions+0x1e56a7\n",
     "RangeError at _kDartIsolateSnapshotInstructions+0x1e26d7"},
    {"Unhandled JS Exception: TypeError: undefined is not an object (evaluating 'a.b')\n"
     "load@main.jsbundle:12:345\n"
     "onPress@main.jsbundle:13:5\n"
     "http://localhost:8081/index.bundle?platform=ios:1:2\n",
     "TypeError at load"},
    {"java.io.IOException: no\n"
     "\tat okhttp3.internal.Stream.take(Stream.kt:1)\n"
     "\tat org.acme.shop.Cart$load$2$1.invokeSuspend(Cart.kt:48)\n"
     "\tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)\n"
     "\tSuppressed: kotlinx.coroutines.internal.DiagnosticCoroutineContextException: "
     "[StandaloneCoroutine{Cancelling}@29, Dispatchers.IO]\n",
     "java.io.IOException at org.acme.shop.Cart.load"},
};

/* %u: a number that goes on. */
static const char *const prefixes[] = {
    "",
    "E/Runtime( 1367): ",
    "07-15 19:28:27.%03u 13673 13673 E Runtime: ",
    "07-15 19:28:27.%03u E/Runtime(13673): ",
    "07-15 19:28:27.%03u 10123 13673 13673 E Runtime: ",
    "1594834107.%03u 13673 13673 E Runtime: ",
    "E/Runtime: ",
    "E( 1367) ",
    "E( 1367: 1367) ",
    "2024-07-15 19:28:27.%03u 13673-13673/org.acme.shop E/Runtime: ",
    "2024-07-15 19:28:27.%03u  9996-9996  Runtime   org.acme.shop    E  ",
    "shop-web-1  | ",
    "web_1 | ",
    "Nov 16 14:03:%02u host app[412]: ",
    "2024-03-04T05:06:07.%09uZ stderr F ",
    "2024-03-04T05:06:07.%03uZ ",
    "2024-03-04 05:06:07,%03u ERROR ",
    "[2024-03-04 05:06:07.%03u] ",
    "14:03:12.%03u ",
    "2024-03-04 05:06:07.%06u+0100 Shop[412:7] ",
    "worker %u> ",
    "<%u> [app] ",
    "\033[31m",
    "> ",
    "        ",
};

static char *in_form(const char *crash, const char *prefix, const char *ending)
{
    static char text[16384];
    size_t used = 0;
    unsigned number = 11;
    while (*crash) {
        size_t size = strcspn(crash, "\n");
        const char *mark = strchr(prefix, '%');
        if (mark) {
            char form[16] = "", digits[16];
            size_t width = strcspn(mark, "u") + 1;
            memcpy(form, mark, width);
            /* the widths of the table alone */
            snprintf(digits, sizeof digits,
                     form[2] == '9'   ? "%09u"
                     : form[2] == '6' ? "%06u"
                     : form[2] == '3' ? "%03u"
                     : form[2] == '2' ? "%02u"
                                      : "%u",
                     number);
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s%s",
                                     (int)(mark - prefix), prefix, digits, mark + width);
        } else {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", prefix);
        }
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%.*s%s", (int)size, crash, ending);
        crash += size + (crash[size] == '\n');
        number += 7;
    }
    return text;
}

TEST(every_form_in_every_layout)
{
    static const char *const endings[] = {"\n", "\r\n", "\033[0m\n"};
    for (size_t c = 0; c < sizeof crashes / sizeof *crashes; c++)
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            const char *ending = endings[prefixes[p][0] == '\033' ? 2 : p % 2];
            char *got =
                tac_stack_cluster(NULL, in_form(crashes[c].text, prefixes[p], ending), NULL, NULL);
            if (strcmp(got, crashes[c].wanted))
                test_fail(__FILE__, __LINE__, "crash %zu behind \"%s\": \"%s\", not \"%s\"", c,
                          prefixes[p], got, crashes[c].wanted);
            free(got);
        }
}

TEST(a_console_says_the_place_first)
{
    static const char *const cases[][2] = {
        {"app.js:12 Uncaught TypeError: x is null\n    at draw (app.js:12:5)\n",
         "TypeError at draw"},
        {"main.4f3a.js:1:2093 Uncaught (in promise) RangeError: Invalid array length\n"
         "    at grow (main.4f3a.js:1:2093)\n",
         "RangeError at grow"},
        {"12:30:45 order 7: ready\nhttp://shop.example/cart.js:7 Uncaught ReferenceError: total\n",
         "ReferenceError"},
        {"lib.min.js:216 Error: code 130\n    at No (lib.min.js:280:177)\n", "Error at No"},
        {":12 Error: x\n    at f (a.js:1:1)\n", "f"},
        {"7:12 Error: x\n    at f (a.js:1:1)\n", "f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = tac_stack_cluster(NULL, cases[i][0], NULL, NULL);
        CHECK_STR(got, cases[i][1]);
        free(got);
    }
}

TEST(lines_of_another_service_are_passed_over)
{
    const char *text = "web-1  | Unhandled exception:\n"
                       "db-1   | java.lang.Error: not ours\n"
                       "web-1  | Bad state: No element\n"
                       "db-1   |     at org.other.Db.run(Db.java:1)\n"
                       "web-1  | #0      Cart.load (package:shop/cart.dart:12:5)\n"
                       "web-1  | #1      main (package:shop/main.dart:3:5)\n";
    char *got = tac_stack_cluster(NULL, text, NULL, NULL);
    CHECK_STR(got, "StateError at Cart.load");
    free(got);
}

TEST(words_are_no_stacks)
{
    static const char *const texts[] = {
        "It crashes at start.\nI press @home: nothing happens\nmail me@example.org: thanks",
        "1   thing\n2   things 0x12\n",
        "#1 is broken (see package list)\n#2 too\n",
        "a | b\nc | d\nat once\nat last",
        "The following happens: nothing",
        "Exception",
        "Thread 0 Crashed:",
        "*** First throw call stack:",
        "Traceback (most recent call last):",
        "---> ",
        "Traceback (most recent call last):\n\n\n  File \"",
        "#0",
        "#0  0x",
        "#0 pc ",
        "0   A 0x0000000100000000 ",
        "Exception Type:",
        "ERROR: AddressSanitizer: "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *got = tac_stack_cluster(NULL, texts[i], NULL, NULL);
        CHECK(strlen(got) > 0 && strlen(got) < 60);
        free(got);
    }
}

/* Reports of iOS as JSON, the same crash as in a report of text. */
static char *as_json(const char *signal, const char *symbol, int offset, const char *thrown)
{
    static char text[4096];
    char named[200] = "";
    if (symbol)
        snprintf(named, sizeof named, "\"symbol\": \"%s\", ", symbol);
    snprintf(
        text, sizeof text,
        "{\"app_name\": \"Shop\", \"bug_type\": \"309\"}\n"
        "{\"procName\": \"Shop\", \"bundleInfo\": {\"CFBundleIdentifier\": \"org.acme.shop\"},\n"
        " \"exception\": {\"type\": \"EXC_X\", \"signal\": \"%s\"}, \"faultingThread\": 1, %s\n"
        " \"threads\": [{\"frames\": [{\"imageOffset\": 1, \"imageIndex\": 1}]},\n"
        "  {\"triggered\": true, \"frames\": [\n"
        "   {\"imageOffset\": 2, \"symbol\": \"objc_msgSend\", \"imageIndex\": 0},\n"
        "   {%s\"imageOffset\": %d, \"imageIndex\": 1}]}],\n"
        " \"usedImages\": [{\"name\": \"libobjc.A.dylib\", \"path\": "
        "\"/usr/lib/libobjc.A.dylib\"},\n"
        "  {\"name\": \"Shop\", \"path\": \"/private/x/Shop.app/Shop\"}]}\n",
        signal, thrown, named, offset);
    return text;
}

TEST(reports_of_ios_as_json)
{
    static const struct {
        const char *symbol;
        int offset;
        const char *more, *wanted;
    } cases[] = {
        {"-[Cart load]", 84, "", "SIGSEGV at Shop!-[Cart load]"},
        {"-[Cart load]", 99, "", "SIGSEGV at Shop!-[Cart load]"},
        {NULL, 19132, "", "SIGSEGV at Shop+19132"},
        {NULL, 19136, "", "SIGSEGV at Shop+19136"},
        {NULL, 3,
         "\"exceptionReason\": {\"name\": \"NSRangeException\"}, \"lastExceptionBacktrace\": "
         "[{\"imageOffset\": 5, \"imageIndex\": 0}, {\"imageOffset\": 9, \"imageIndex\": 1}], ",
         "NSRangeException at Shop+9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = tac_stack_cluster(
            NULL, as_json("SIGSEGV", cases[i].symbol, cases[i].offset, cases[i].more), NULL, NULL);
        CHECK_STR(got, cases[i].wanted);
        free(got);
    }
    /* what is broken or something else is not a report */
    static const char *const others[] = {
        "{\"threads\": [], \"usedImages\": []}", "{\"threads\": 7, \"usedImages\": {}}",
        "{\"threads\" \"usedImages\"", "{\"threads\": [{\"triggered\": true}], \"usedImages\": 1}",
        "{\"faultingThread\": -1, \"threads\": [], \"usedImages\": []}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *got = tac_stack_cluster(NULL, others[i], NULL, NULL);
        CHECK_STR(got, "fail");
        free(got);
    }
}

TEST(what_coroutines_and_symbols_are_named_by)
{
    static const char *const cases[][2] = {
        {"at org.acme.Cart$load$2.invokeSuspend(Cart.kt:1)", "org.acme.Cart.load"},
        {"at org.acme.Cart$load$2$invokeSuspend$1.invokeSuspend(C.kt:1)", "org.acme.Cart.load"},
        {"at org.acme.Cart$Companion$load$1.invokeSuspend(C.kt:1)", "org.acme.Cart$Companion.load"},
        {"at org.acme.Cart$Job.invokeSuspend(C.kt:1)", "org.acme.Cart$Job.invokeSuspend"},
        {"java.lang.IllegalStateException: a at org.acme.shop.Cart.load(Cart.kt:12) at "
         "android.os.Looper.loop(Looper.java:223)",
         "java.lang.IllegalStateException at org.acme.shop.Cart.load"},
        {"Caused by: java.lang.NullPointerException at org.acme.shop.Cart.load(Unknown Source)",
         "java.lang.NullPointerException at org.acme.shop.Cart.load"},
        {"java.lang.RuntimeException: x at android.os.Looper.loop(Looper.java:223) Caused by: "
         "java.io.IOException: we met at noon at org.acme.shop.Cart.load(Cart.kt:12) ... 7 more",
         "java.io.IOException at org.acme.shop.Cart.load"},
        {"03-24 11:45:56.097  2479  2510 E ActivityManager: ANR in org.acme.shop "
         "(org.acme.shop/.Main)\n03-24 11:45:56.097  2479  2510 E ActivityManager: PID: 4960\n",
         "ANR (org.acme.shop)"},
        {"ANR Input dispatching timed out (Waiting to send.)\n1 java.lang.Object.wait(Native "
         "Method)\n2 org.acme.shop.Cart.load(Cart.java:53)\n",
         "ANR at org.acme.shop.Cart.load"},
        {"0   libsystem_kernel.dylib   0x00000001db25c788 0x1db25b000 + 6024 (mach_msg + 8)\n"
         "1   Shop   0x0000000189baf804 0x189b39000 + 485380 (<redacted> + 160)\n",
         "Shop+485380"},
        {"0   Shop   0x0000000189baf804 0x189b39000 + 485380 (-[Cart load] + 160)\n",
         "Shop!-[Cart load]"},
        {"at org.acme.CartKt$Cart$12.invokeSuspend(Cart.kt:1)", "org.acme.CartKt.Cart"},
        {"at a.b$1.invokeSuspend(SourceFile:1)", "a.b$1.invokeSuspend"},
        {"at a.b.invokeSuspend(SourceFile:1)", "a.b.invokeSuspend"},
        {"#00 0xa0dc6083 /data/app/x/lib/arm/libshop.so+0x00a0", "libshop.so+0xa0"},
        {"#3 0x55aa (/opt/shop/shop+0x12ab)", "shop+0x12ab"},
        {"#00 pc 00000000  /data/app/x/lib/libshop.so", "libshop.so+0x0"},
        {"#00 pc 0012  /system/lib/libfoo.so", "fail at libfoo.so"},
        {"\"main\" tid=1 Native\n  #00  pc 0x01  /apex/x/libc.so (syscall+28)\n"
         "  at org.acme.Cart.load (Cart.kt:5)\n\n\"T-2\" tid=5 Waiting\n  at org.acme.B.x "
         "(B.kt:5)\n",
         "ANR at org.acme.Cart.load"},
        {"main (waiting):tid=1 systid=20232 \n    at java.lang.Object.wait(Native method)\n"
         "    at org.acme.Cart.load(Cart.kt:5)\n\nT-3 (runnable):tid=3 systid=2 \n"
         "    at org.acme.B.x(B.kt:5)\n",
         "ANR at org.acme.Cart.load"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = tac_stack_cluster(NULL, cases[i][0], NULL, NULL);
        CHECK_STR(got, cases[i][1]);
        free(got);
    }
}
